package carillon.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import carillon.support.Backlog;
import carillon.support.CarillonProcess;
import carillon.support.EmbeddedChild;
import carillon.support.Ledger;
import carillon.support.RedisServer;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Test of starting and stopping the packaged program. */
class StartStopIT extends ProcessTestBase {

  @Test
  void theFirstStartMakesDataAndACollectionAndTheNextFindsThem() {
    Instant tomorrow = Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS);
    String before;
    try (CarillonProcess node = start()) {
      assertTrue(Files.isDirectory(dir.resolve("data")));
      assertReady(node);
      assertEquals(200, node.get("/jobcollections/default").statusCode());
      node.send("PUT", Jobs.PATH + "j", Jobs.once("http://127.0.0.1:9/", tomorrow));
      before = node.get(Jobs.PATH + "j").body();
      assertCleanEnd(node.terminate());
    }

    try (CarillonProcess node = start()) {
      assertEquals(before, node.get(Jobs.PATH + "j").body());
    }
  }

  @Test
  void theRedisOfANodeKnowsNoSettingsAndKeepsItsFilesToTheOwner() throws IOException {
    Path data = Files.createDirectory(dir.resolve("data"));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));

    try (CarillonProcess node = start("CARILLON_LOG_LEVEL", "debug")) {
      // Reads the shell that started Redis: the title of Redis overwrites its own environment.
      long shell =
          ProcessHandle.of(node.redis().pid()).flatMap(ProcessHandle::parent).orElseThrow().pid();
      String environment = Files.readString(Path.of("/proc/" + shell + "/environ"), ISO_8859_1);
      assertTrue(environment.contains("PATH="), environment);
      assertFalse(environment.contains("CARILLON_"), environment);
      try (Stream<Path> files = Files.walk(data.resolve("appendonlydir"))) {
        for (Path file : files.toList()) {
          String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
          assertTrue(mode.endsWith("------"), file + " " + mode);
        }
      }
      assertTrue(node.output().contains("(data.dir) can be read or changed by others"));
    }
  }

  @Test
  void theSettingsMayComeFromAFile() throws IOException {
    Path conf = Files.writeString(dir.resolve("my.yaml"), "data:\n  dir: elsewhere\n");
    try (CarillonProcess node = CarillonProcess.start(dir, Map.of(), "--conf", conf.toString())) {
      assertTrue(Files.isDirectory(dir.resolve("elsewhere")), node::output);
      assertFalse(Files.exists(dir.resolve("data")));
    }
    Files.writeString(conf, "data:\n  dri: elsewhere\n");

    assertRefusal(run(Map.of(), "--conf", conf.toString()), "dri");
  }

  @Test
  void theEmbeddedRedisGivesTheDurabilityThatIsAskedFor() {
    try (CarillonProcess node = start("CARILLON_REDIS_DURABILITY", "fsync")) {
      assertTrue(node.get("/health/ready").body().contains("\"durability\":\"fsync\""));
      assertTrue(node.output().contains("durability=\"fsync\""), node.output());
    }
  }

  @Test
  void sigtermEndsItAndItsRedis() {
    try (CarillonProcess node = start()) {
      EmbeddedChild redis = node.redis();
      assertTrue(redis.isRunning());

      assertCleanEnd(node.terminate());

      assertFalse(redis.isRunning());
    }
  }

  @Test
  void ctrlCEndsItAndItsRedis() {
    try (CarillonProcess node = start()) {
      EmbeddedChild redis = node.redis();

      assertCleanEnd(node.interrupt());

      assertFalse(redis.isRunning());
    }
  }

  @Test
  void sigkillEndsItsRedisToo() {
    try (CarillonProcess node = start()) {
      EmbeddedChild redis = node.redis();

      node.kill9();

      Await.until("the end of the embedded Redis", () -> !redis.isRunning());
    }
  }

  @Test
  void aCallInFlightEndsAndIsRecordedBeforeItStops() {
    try (Ledger target = new Ledger(Duration.ofMillis(1500))) {
      try (CarillonProcess node = start()) {
        node.send("PUT", Jobs.PATH + "slow", Jobs.now(target.url("slow")));
        Await.until("the call", () -> target.unanswered() == 1);

        assertCleanEnd(node.terminate());
      }

      try (CarillonProcess node = start()) {
        List<JsonNode> history = Jobs.history(node, "slow");
        assertEquals(1, history.size());
        assertEquals("completed", history.get(0).get("status").textValue());
        assertEquals("completed", Jobs.get(node, "slow").get("state").textValue());
        new Backlog(node.redis()::ask).awaitEmpty(PATIENCE);
      }
      assertEquals(1, target.count());
    }
  }

  @Test
  void aCallLongerThanTheGracePeriodIsRepeatedAfterTheNextStart() {
    Map<String, String> impatient = Map.of("CARILLON_NODE_STOP_GRACE", "500ms");
    try (Ledger target = new Ledger(call -> call.earlier() == 0 ? Ledger.NEVER : Duration.ZERO)) {
      try (CarillonProcess node = start(impatient)) {
        node.send("PUT", Jobs.PATH + "slow", Jobs.now(target.url("slow")));
        Await.until("the call", () -> target.unanswered() == 1);

        assertCleanEnd(node.terminate());
      }

      try (CarillonProcess node = start(impatient)) {
        Await.until("the second call", () -> target.count() == 2);
        assertEquals(List.of(), target.faults());
        new Backlog(node.redis()::ask).awaitEmpty(PATIENCE);
        assertEquals("completed", Jobs.get(node, "slow").get("state").textValue());
      }
      assertEquals(2, target.count());
    }
  }

  @Test
  void aCallThatOutlastsTheWholeGracePeriodIsReleasedAtItsEnd() {
    try (Ledger target = new Ledger(call -> Ledger.NEVER);
        CarillonProcess node = start()) {
      node.send("PUT", Jobs.PATH + "slow", Jobs.now(target.url("slow")));
      Await.until("the call", () -> target.unanswered() == 1);

      CarillonProcess.Exit exit = node.terminate();

      assertCleanEnd(exit);
      assertTrue(exit.out().contains("did not end within the grace period, released"), exit.out());
    }
  }

  @Test
  void helpAndVersionAreToldWithoutAStart() {
    CarillonProcess.Exit help = run(Map.of(), "--help");
    CarillonProcess.Exit version = run(Map.of(), "--version");

    assertEquals(0, help.code());
    assertTrue(help.out().startsWith("usage: java -jar carillon.jar [--conf FILE]"), help.out());
    assertEquals(0, version.code());
    assertTrue(version.out().matches("Carillon \\d+\\.\\d+\\.\\d+\\S*\n"), version.out());
    assertFalse(Files.exists(dir.resolve("data")));
  }

  @Test
  void aPortInUseIsSaidInOneLine() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());

      CarillonProcess.Exit exit = run(Map.of("CARILLON_HTTP_PORT", port));

      assertRefusal(exit, "http.port " + port);
      assertFalse(Files.exists(dir.resolve("data")), "no Redis was started");
    }
  }

  @Test
  void anApiForEverybodyIsRefusedBeforeARedisIsStarted() {
    CarillonProcess.Exit exit = run(Map.of("CARILLON_HTTP_HOST", "0.0.0.0"));

    assertRefusal(exit, "CARILLON_ACCESS_ACCEPT=keys");
    assertFalse(Files.exists(dir.resolve("data")));
  }

  @Test
  void portAndDataMayBeOptions() {
    try (CarillonProcess node =
        CarillonProcess.start(
            dir, Map.of("CARILLON_HTTP_PORT", "1"), "--port=0", "--data", "elsewhere")) {
      assertReady(node);
      assertTrue(Files.isDirectory(dir.resolve("elsewhere")));
      assertFalse(Files.exists(dir.resolve("data")));
    }

    assertRefusal(2, run(Map.of(), "--port=80", "nodes"), "--port");
    assertRefusal(run(Map.of(), "serve", "--port=eighty"), "http.port");
  }

  @Test
  void aRedisThatIsNotThereIsSaidInOneLine() {
    String nowhere = "redis://127.0.0.1:1";
    CarillonProcess.Exit refused = run(Map.of("CARILLON_REDIS_URI", nowhere));
    CarillonProcess.Exit missing =
        run(Map.of("CARILLON_REDIS_URI", "unix://" + dir + "/none.sock"));

    assertRefusal(refused, "CARILLON_REDIS_URI");
    assertRefusal(missing, "CARILLON_REDIS_URI");
  }

  @Test
  void aRedisThatIsSilentIsSaidInOneLine() {
    try (RedisServer redis = RedisServer.start()) {
      redis.pause();

      CarillonProcess.Exit exit = run(Map.of("CARILLON_REDIS_URI", redis.uri().toString()));

      assertRefusal(exit, "CARILLON_REDIS_URI");
    }
  }

  @Test
  void aBadSettingIsSaidInOneLine() {
    assertRefusal(run(Map.of("CARILLON_HTTP_PORT", "eighty")), "CARILLON_HTTP_PORT");
    assertRefusal(run(Map.of("CARILLON_HTPP_PORT", "80")), "HTPP");
    assertRefusal(run(Map.of("CARILLON_REDIS_MODE", "cluster")), "cluster");
    assertRefusal(2, run(Map.of(), "--prot=80"), "'--prot'");
    assertRefusal(2, run(Map.of(), "fsck", "--mend"), "--mend");
    assertRefusal(run(Map.of(), "--conf", "no.yaml"), "no.yaml");
    assertFalse(Files.exists(dir.resolve("data")));
  }

  @Test
  void aDataDirectoryInUseIsSaidInOneLine() {
    try (CarillonProcess node = start()) {
      CarillonProcess.Exit second = run(Map.of());

      assertRefusal(second, "is in use by another Carillon (process " + node.pid() + ")");
      assertReady(node);
    }
  }

  @Test
  void anotherNumberOfPartitionsIsSaidInOneLine() {
    try (CarillonProcess node = start("CARILLON_PARTITIONS", "8")) {
      node.terminate();
    }

    assertRefusal(run(Map.of("CARILLON_PARTITIONS", "16")), "partitions");
  }

  private static void assertCleanEnd(CarillonProcess.Exit exit) {
    assertEquals(0, exit.code(), () -> exit.out() + exit.err());
    assertEquals("", exit.err());
  }

  private static void assertRefusal(CarillonProcess.Exit exit, String about) {
    assertRefusal(1, exit, about);
  }

  private static void assertRefusal(int code, CarillonProcess.Exit exit, String about) {
    String all = exit.out() + exit.err();
    assertEquals(code, exit.code(), all);
    assertEquals(1, exit.err().lines().count(), exit.err());
    assertTrue(exit.err().startsWith("carillon: "), exit.err());
    assertTrue(exit.err().contains(about), exit.err());
    assertFalse(all.contains("\tat "), all);
    assertFalse(all.contains("Exception"), all);
  }
}
