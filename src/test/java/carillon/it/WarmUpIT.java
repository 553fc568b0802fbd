package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.CallbackServer;
import carillon.support.CarillonProcess;
import carillon.support.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Test of a node that warms up before it starts. */
class WarmUpIT extends ProcessTestBase {
  private Path temporary;

  @BeforeEach
  void makeTemporaryDirectory() throws IOException {
    // A short name: the path of a Unix socket has at most 107 bytes.
    temporary = Files.createDirectory(dir.resolve("t"));
  }

  @Test
  void warmingUpLeavesNothingInTheRedisOfTheNodeNorInFilesNorInTheLog() {
    try (RedisServer redis = RedisServer.start();
        CallbackServer target = new CallbackServer();
        CarillonProcess node =
            CarillonProcess.start(dir, warming(on(redis), "1s"), program(), List.of())) {
      assertEquals(List.of(), redis.keys("*:job:*"));
      assertEquals(List.of(), directoriesLeft());
      String log = node.output();
      assertTrue(log.contains("warming up") && log.contains("warmed up jobs="), log);
      assertEquals(1, log.lines().filter(line -> line.contains("listening on")).count(), log);
      assertFalse(log.contains("embedded Redis"), log);

      assertEquals(201, node.send("PUT", Jobs.PATH + "j", Jobs.now(target.url("/j"))).statusCode());

      target.awaitCalls(1);
      assertEquals(0, node.terminate().code());
    }
  }

  @Test
  void aNodeThatIsToldToEndWhileItWarmsUpEndsAndLeavesNothing() {
    try (CarillonProcess node =
        CarillonProcess.startUntil(dir, warming(settings(), "10m"), program(), "warming up")) {

      CarillonProcess.Exit exit = node.terminate();

      assertEquals(143, exit.code());
      assertEquals("", exit.err());
      assertFalse(exit.out().contains("listening on"), exit.out());
      assertEquals(List.of(), directoriesLeft());
    }
  }

  @Test
  void aNodeThatCannotWarmUpStartsColdAndSaysWhy() throws IOException {
    Files.delete(temporary);
    try (CarillonProcess node =
        CarillonProcess.start(dir, warming(settings(), "1s"), program(), List.of())) {
      assertTrue(node.output().contains("could not warm up, the node starts cold"), node.output());
      assertEquals(0, node.terminate().code());
    }
  }

  private static Map<String, String> warming(Map<String, String> settings, String time) {
    settings.put("CARILLON_NODE_WARM_UP", time);
    return settings;
  }

  private List<String> program() {
    return List.of("-Djava.io.tmpdir=" + temporary, "-jar", CarillonProcess.jar());
  }

  private List<Path> directoriesLeft() {
    try (Stream<Path> all = Files.list(temporary)) {
      return all.filter(path -> path.getFileName().toString().startsWith("carillon-train-"))
          .toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
