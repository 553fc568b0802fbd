package carillon.redis.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.Settings.EmbeddedSettings.Fsync;
import carillon.redis.embedded.EmbeddedRedisOptions.BinarySource;
import carillon.support.LogCapture;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("redis")
class EmbeddedRedisTest {
  @TempDir private Path temp;
  private Path dir;

  @BeforeEach
  void chooseDirectory() {
    dir = temp.resolve("data");
  }

  private EmbeddedRedisOptions options() {
    return EmbeddedRedisOptions.in(dir);
  }

  private static String ask(EmbeddedRedis redis, String command) {
    Path socket = Path.of(redis.uri().getPath());
    return new InlineRedisClient(socket).ask(command, Duration.ofSeconds(30)).orElse("no answer");
  }

  @ParameterizedTest
  @EnumSource(names = {"PATH", "JAR"})
  void dataSurvivesStopAndStart(BinarySource source) {
    assumeAvailable(source);
    try (EmbeddedRedis redis = EmbeddedRedis.start(options().with(source))) {
      assertEquals(":1", ask(redis, "INCR n"));
    }

    try (EmbeddedRedis redis = EmbeddedRedis.start(options().with(source))) {
      assertEquals(":2", ask(redis, "INCR n"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"PATH", "JAR"})
  void theBundledRedisIsToldToBeUnsafe(BinarySource source) {
    assumeAvailable(source);
    try (LogCapture log = new LogCapture();
        EmbeddedRedis redis = EmbeddedRedis.start(options().with(source))) {
      boolean isTold =
          log.lines().stream().anyMatch(line -> line.contains("unsafe: the bundled Redis"));

      assertEquals(source == BinarySource.JAR, isTold, redis.version());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"PATH", "JAR"})
  void dataSurvivesTheKillingOfRedis(BinarySource source) throws Exception {
    assumeAvailable(source);
    try (EmbeddedRedis redis = EmbeddedRedis.start(options().with(source).with(Fsync.ALWAYS))) {
      assertEquals(":1", ask(redis, "INCR n"));
      ProcessHandle.of(redis.pid()).orElseThrow().destroyForcibly();
      assertEquals(137, redis.onExit().get(30, TimeUnit.SECONDS));
    }

    try (EmbeddedRedis redis = EmbeddedRedis.start(options().with(source))) {
      assertEquals(":2", ask(redis, "INCR n"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"PATH", "JAR"})
  void theProgramComesFromTheForcedSource(BinarySource source) {
    assumeAvailable(source);
    try (EmbeddedRedis redis = EmbeddedRedis.start(options().with(source))) {
      assertEquals(source == BinarySource.JAR, redis.binary().startsWith(dir.resolve("bin")));
      assertTrue(redis.version().matches("\\d+\\.\\d+\\.\\d+.*"), redis.version());
    }
  }

  @Test
  void closeEndsRedisAndFreesTheDirectoryAndMayBeRepeated() {
    EmbeddedRedis redis = EmbeddedRedis.start(options());

    redis.close();
    redis.close();

    assertFalse(ProcessHandle.of(redis.pid()).isPresent());
    EmbeddedRedis.start(options()).close();
  }

  @Test
  void aDirectoryInUseIsRefusedAndTheProcessNamed() throws Exception {
    String reason = "data directory " + dir + " is in use by another Carillon (process ";

    try (EmbeddedRedis redis = EmbeddedRedis.start(options())) {
      Exception here =
          assertThrows(EmbeddedRedisException.class, () -> EmbeddedRedis.start(options()));
      assertTrue(here.getMessage().startsWith(reason), here::getMessage);

      // The refusal within this process must not have released the lock for others.
      try (Holder other = new Holder(dir)) {
        assertEquals("refused " + reason + ProcessHandle.current().pid() + ")", other.firstLine);
      }
      assertEquals("+PONG", ask(redis, "PING"));
    }
  }

  @Test
  void aSocketPathThatIsTooLongMovesToAPrivateTemporaryDirectory() throws Exception {
    dir = temp.resolve("a-rather-long-name-".repeat(5)).resolve("data");
    Path socketDir;

    try (EmbeddedRedis redis = EmbeddedRedis.start(options())) {
      socketDir = Path.of(redis.uri().getPath()).getParent();

      assertEquals("+PONG", ask(redis, "PING"));
      assertFalse(socketDir.startsWith(dir));
      assertEquals("rwx------", permissions(socketDir));
    }
    assertFalse(Files.exists(socketDir));
  }

  @Test
  void theDirectoryAndTheSocketAreForTheirOwnerOnly() throws Exception {
    try (EmbeddedRedis redis = EmbeddedRedis.start(options())) {
      assertEquals("rwx------", permissions(dir));
      assertEquals("rwx------", permissions(Path.of(redis.uri().getPath())));
    }
  }

  @Test
  void aClientOfVertxConnectsThoughThePathHasOddCharacters() throws Exception {
    dir = temp.resolve("100% \"odd\" \\ näme");
    Vertx vertx = Vertx.vertx();

    try (EmbeddedRedis redis = EmbeddedRedis.start(options())) {
      Redis client = Redis.createClient(vertx, redis.uri().toString());
      Request policy = Request.cmd(Command.CONFIG).arg("GET").arg("hash-max-listpack-value");

      assertTrue(redis.uri().toString().startsWith("unix:///"), redis.uri().toString());
      assertTrue(client.send(policy).await(30, TimeUnit.SECONDS).toString().contains("4096"));
    } finally {
      vertx.close().await(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void aRedisThatEndsAtOnceShowsTheEndOfItsLog() {
    EmbeddedRedisOptions broken = options().withExtraConfig(List.of("no-such-directive yes"));

    Exception failure =
        assertThrows(EmbeddedRedisException.class, () -> EmbeddedRedis.start(broken));

    assertTrue(failure.getMessage().contains("exit code 1"), failure::getMessage);
    assertTrue(failure.getMessage().contains("no-such-directive"), failure::getMessage);
    EmbeddedRedis.start(options()).close(); // the directory is free again
  }

  @Test
  void aDirectoryThatCannotBeMadeIsNamed() throws Exception {
    Files.createFile(dir);

    Exception failure =
        assertThrows(EmbeddedRedisException.class, () -> EmbeddedRedis.start(options()));

    assertTrue(failure.getMessage().contains(dir.toString()), failure::getMessage);
  }

  @Test
  void aRedisThatStaysSilentIsGivenUpAfterTheDeadline() {
    EmbeddedRedisOptions elsewhere =
        options()
            .withStartDeadline(Duration.ofMillis(500))
            .withExtraConfig(List.of("unixsocket " + temp.resolve("elsewhere.sock")));

    Exception failure =
        assertThrows(EmbeddedRedisException.class, () -> EmbeddedRedis.start(elsewhere));

    assertTrue(failure.getMessage().contains("does not answer"), failure::getMessage);
  }

  @Test
  void aRedisThatIsLoadingIsWaitedForBeyondTheDeadline() {
    try (EmbeddedRedis redis = EmbeddedRedis.start(options())) {
      ask(redis, "EVAL \"for i = 1, 32768 do redis.call('SET', i, i) end\" 0");
      assertEquals(":32768", ask(redis, "DBSIZE"));
    }
    // Redis reports that it is loading after every 1024 keys. That is often enough, even if it
    // wakes up late from each of its pauses. The pauses together exceed the deadline.
    Duration deadline = Duration.ofSeconds(5);
    EmbeddedRedisOptions slow =
        options().withStartDeadline(deadline).withExtraConfig(List.of("key-load-delay 160"));
    long before = System.nanoTime();

    try (EmbeddedRedis redis = EmbeddedRedis.start(slow)) {
      assertEquals(":32768", ask(redis, "DBSIZE"));
    }

    assertTrue(System.nanoTime() - before > deadline.toNanos(), "it was loading for long enough");
  }

  private static void assumeAvailable(BinarySource source) {
    Assumptions.assumeTrue(
        source == BinarySource.JAR
            || RedisBinary.onPath(Optional.ofNullable(System.getenv("PATH")).orElse(""))
                .isPresent(),
        "no redis-server 7 on the PATH");
  }

  private static String permissions(Path file) throws java.io.IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
