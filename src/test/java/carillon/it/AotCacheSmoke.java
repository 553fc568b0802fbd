package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.CallbackServer;
import carillon.support.CarillonProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Test of the packaged program on JDK 25 or newer, with and without an AOT cache. It runs only if
 * {@code carillon.java.home} names such a JDK, as {@code .ci/run} does.
 */
class AotCacheSmoke extends ProcessTestBase {
  private static final Map<String, String> LOOPBACK = Map.of("CARILLON_EGRESS_LOOPBACK", "allow");

  @Test
  void aNodeRunsWithAndWithoutTheCacheThatATrainingRunMade() throws IOException {
    Path cache = dir.resolve("carillon.aot");

    CarillonProcess.Exit trained =
        run(List.of("-XX:AOTCacheOutput=" + cache, "-jar", CarillonProcess.jar()), "train");

    assertEquals(0, trained.code(), () -> trained.out() + trained.err());
    assertTrue(trained.out().contains("trained with"), trained::out);
    assertTrue(Files.size(cache) > 0);
    assertRuns(List.of("-jar", CarillonProcess.jar()));
    String said =
        assertRuns(List.of("-Xlog:aot", "-XX:AOTCache=" + cache, "-jar", CarillonProcess.jar()));
    assertFalse(said.contains("[warning][aot"), said);
  }

  @Test
  void aCacheOfAnotherProgramIsLeftOutWithAWarning() throws IOException {
    Path cache = dir.resolve("carillon.aot");
    Path other = dir.resolve("other.jar");
    Files.copy(Path.of(CarillonProcess.jar()), other);
    run(
        List.of("-XX:AOTCacheOutput=" + cache, "-jar", other.toString()),
        "train",
        "--seconds",
        "1");
    assertTrue(Files.size(cache) > 0);
    Files.setLastModifiedTime(
        other, FileTime.fromMillis(Files.getLastModifiedTime(cache).toMillis() + 1000));

    String said = assertRuns(List.of("-XX:AOTCache=" + cache, "-jar", other.toString()));

    assertTrue(said.contains("[warning][aot"), said);
  }

  private CarillonProcess.Exit run(List<String> program, String... arguments) {
    return CarillonProcess.run(dir, Map.of(), program, List.of(arguments));
  }

  /** Starts a node, lets it make a call, and stops it; returns its output. */
  private String assertRuns(List<String> program) {
    try (CallbackServer target = new CallbackServer();
        CarillonProcess node = CarillonProcess.start(dir, LOOPBACK, program, List.of())) {
      assertReady(node);
      assertEquals(201, node.send("PUT", Jobs.PATH + "j", Jobs.now(target.url("/j"))).statusCode());
      target.awaitCalls(1);
      node.send("DELETE", Jobs.PATH + "j", "");
      CarillonProcess.Exit exit = node.terminate();
      assertEquals(0, exit.code(), () -> exit.out() + exit.err());
      return exit.out() + exit.err();
    }
  }
}
