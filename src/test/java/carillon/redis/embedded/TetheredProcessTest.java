package carillon.redis.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the bond between Carillon and its Redis. A JVM that can be killed plays Carillon. */
@Tag("redis")
class TetheredProcessTest {
  @TempDir private Path temp;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void killingCarillonTakesRedisDown(boolean wholeGroup) throws Exception {
    assumeSetsid();
    Path dir = temp.resolve("data");

    try (Holder holder = new Holder(dir, "setsid")) {
      ProcessHandle redis = holder.redis();
      if (wholeGroup) {
        holder.signalGroup("KILL");
      } else {
        holder.signal("KILL");
      }

      redis.onExit().get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void aStartRightAfterTheKillWaitsForTheOldRedisToEnd() throws Exception {
    Path dir = temp.resolve("data");

    try (Holder holder = new Holder(dir)) {
      ProcessHandle old = holder.redis();
      Holder.signal("STOP", String.valueOf(old.pid())); // so that it takes a while to end
      holder.signal("KILL");
      holder.awaitEnd();

      CompletableFuture<EmbeddedRedis> start =
          CompletableFuture.supplyAsync(() -> EmbeddedRedis.start(EmbeddedRedisOptions.in(dir)));
      assertThrows(TimeoutException.class, () -> start.get(300, TimeUnit.MILLISECONDS));
      assertTrue(old.isAlive());
      Holder.signal("CONT", String.valueOf(old.pid()));

      try (EmbeddedRedis redis = start.get(30, TimeUnit.SECONDS)) {
        old.onExit().get(30, TimeUnit.SECONDS);
        assertEquals("+PONG", ping(dir));
        assertTrue(redis.pid() != old.pid());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"INT", "TERM"})
  void aSignalToTheProcessGroupLeavesRedisAliveUntilClose(String signal) throws Exception {
    assumeSetsid();
    Path dir = temp.resolve("data");

    try (Holder holder = new Holder(dir, "setsid")) {
      ProcessHandle redis = holder.redis();
      holder.signalGroup(signal);

      // Redis would notice its signal within 100 ms.
      assertThrows(TimeoutException.class, () -> redis.onExit().get(700, TimeUnit.MILLISECONDS));
      assertEquals("+PONG", ping(dir));

      holder.signal("TERM"); // for when SIGINT is ignored here, as in a shell's background job
      holder.letItClose();
      assertEquals("closed", holder.line());
      holder.awaitEnd();
      redis.onExit().get(30, TimeUnit.SECONDS);
      assertTrue(log(dir).contains("bye bye"), "Redis was shut down, not killed");
    }
  }

  private static String ping(Path dir) {
    Optional<String> reply =
        new InlineRedisClient(dir.resolve("redis.sock")).ask("PING", Duration.ofSeconds(30));
    return reply.orElse("no answer");
  }

  private static String log(Path dir) throws java.io.IOException {
    return Files.readString(dir.resolve("redis.log"));
  }

  private static void assumeSetsid() {
    Assumptions.assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/setsid")), "setsid makes the process group to signal");
  }
}
