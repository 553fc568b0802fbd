package carillon.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.cli.local.CheckCommand;
import carillon.config.Settings;
import carillon.config.TestSettings;
import carillon.redis.RedisLink;
import carillon.redis.RedisSecurityChecklist;
import carillon.redis.route.RedisLinkOptions;
import carillon.support.Await;
import carillon.support.RedisServer;
import carillon.support.TestRedis;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("redis")
class SecurityChecklistTest {
  @TempDir Path dir;

  private List<String> findings(String... more) {
    return SecurityChecklist.findings(settings(more));
  }

  private Settings settings(String... settings) {
    return TestSettings.with(TestSettings.with("data.dir=" + dir), settings);
  }

  @Test
  void theDefaultIsSafe() {
    assertEquals(List.of(), findings());
    assertEquals(List.of(), findings("redis.uri=redis://127.0.0.1:6379"));
    assertEquals(List.of(), findings("redis.uri=rediss://u:p@redis.example:6380"));
  }

  @Test
  void loopbackTargetsAreUnsafeWhereOthersAreServed() {
    assertEquals(List.of(), findings("egress.loopback=allow"));

    for (String served : List.of("access.accept=keys", "http.names=jobs.example")) {
      List<String> found = findings("egress.loopback=allow", served);

      assertEquals(1, found.size(), found.toString());
      assertTrue(found.get(0).startsWith("egress.loopback is allow while"), found.toString());
    }
  }

  @Test
  void aDataDirectoryThatOthersMayLookIntoIsUnsafe() throws IOException {
    Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxr-xr-x"));

    assertEquals(
        List.of(
            dir
                + " (data.dir) can be read or changed by others, and so can what Redis keeps in it;"
                + " run chmod 700 "
                + dir),
        findings());
    assertEquals(List.of(), findings("redis.uri=redis://127.0.0.1:6379"));
  }

  @Test
  void everyUnsafeSettingIsNamedWithWhatToDo() {
    List<String> found =
        findings(
            "http.host=0.0.0.0",
            "access.unprotected=true",
            "redis.uri=redis://redis.example:6379",
            "queues.serviceBus=orders=amqp://q.example:5672",
            "egress.allow=0.0.0.0/0",
            "egress.loopback=allow");

    assertEquals(7, found.size(), found.toString());
    assertTrue(found.get(0).contains("set access.accept"));
    assertTrue(found.get(1).contains("without TLS"));
    assertTrue(found.get(2).contains("rediss://"));
    assertTrue(found.get(3).contains("redis.passwordFile"));
    assertTrue(found.get(4).contains("0.0.0.0/0"));
    assertTrue(found.get(5).contains("egress.loopback"));
    assertTrue(found.get(6).contains("amqps://"));
    assertEquals(1, findings("http.host=::", "access.accept=keys").size(), "but for TLS");
  }

  @Test
  void pagesUnderAnyNameAreNamedWhereAllIsOpenOnThisMachine() {
    List<String> found = findings("access.unprotected=true");

    assertEquals(1, found.size(), found.toString());
    assertTrue(found.get(0).contains("http.names"));
  }

  @Test
  void whatIsOpenToOthersBesideTheKeysIsNamed() {
    List<String> found =
        findings(
            "http.host=0.0.0.0",
            "access.accept=keys",
            "access.openMonitoring=true",
            "redis.uri=rediss://:p@redis.example:6380");

    assertEquals(3, found.size(), found.toString());
    assertTrue(found.get(0).contains("access.openMonitoring"));
    assertTrue(found.get(2).contains("the user named default"));
  }

  @Test
  void aRedisThatForgetsOrCanBeStoppedIsFoundOnEveryServer() {
    try (RedisServer redis =
        RedisServer.startWithPort(
            "maxmemory-policy allkeys-lru", "enable-debug-command local", "appendonly no")) {
      List<String> found = ofRedis(redis.uri());

      assertEquals(3, found.size(), found.toString());
      assertTrue(found.get(0).contains("maxmemory-policy allkeys-lru"));
      assertTrue(found.get(1).contains("enable-debug-command local"));
      assertTrue(found.get(2).contains("keeps nothing on disk"));

      redis.ask("CONFIG SET maxmemory-policy noeviction");
      redis.ask("CONFIG SET appendonly yes");
      redis.ask("CONFIG SET appendfsync everysec");
      assertEquals(1, ofRedis(redis.uri()).size(), "but for the debug command");

      redis.ask("ACL SETUSER blind on >p ~carillon:* +@read +@write +@connection +role");
      List<String> unseen = ofRedis(URI.create("redis://blind:p@127.0.0.1:" + redis.port()));
      assertEquals(1, unseen.size(), unseen.toString());
      assertTrue(unseen.get(0).contains("allow CONFIG GET"));
    }
  }

  private static List<String> ofRedis(URI uri) {
    Vertx vertx = Vertx.vertx();
    try {
      RedisLinkOptions setup =
          TestRedis.standalone(uri, Duration.ofSeconds(20), Duration.ofMillis(100));
      return Await.result(
          RedisLink.open(vertx, setup)
              .compose(
                  link -> new RedisSecurityChecklist(link).findings().eventually(link::close)));
    } finally {
      Await.result(vertx.close());
    }
  }

  @Test
  void theCommandAsksNoRedisWhereNoneWasEverStarted() {
    String nowhere = dir.resolve("none").toString();

    assertEquals(List.of(), CheckCommand.redis(settings("data.dir=" + nowhere)));
    assertEquals(List.of(), CheckCommand.redis(settings()));
  }

  @Test
  void theCommandSaysWhatIsUnsafeOfSettingsAndRedis() throws InterruptedException {
    StringBuilder safe = new StringBuilder();
    assertEquals(0, CheckCommand.check(settings(), List.of(), safe));
    assertEquals("nothing unsafe in the settings\n", safe.toString());

    StringBuilder out = new StringBuilder();
    try (RedisServer redis = RedisServer.start("maxmemory-policy allkeys-lru")) {
      assertEquals(1, CheckCommand.check(settings("http.host=::"), List.of(redis.uri()), out));
    }
    assertEquals(4, out.toString().lines().count(), out.toString());
    assertTrue(out.toString().lines().allMatch(line -> line.startsWith("unsafe: ")));

    StringBuilder none = new StringBuilder();
    assertEquals(
        3,
        CheckCommand.check(
            settings("http.host=::"), List.of(URI.create("redis://127.0.0.1:1")), none));
    assertTrue(none.toString().startsWith("unsafe: everybody"), "what is known is said");
  }

  @Test
  void aCertificateThatIsNotLookedAtIsUnsafeAndNoPasswordIsShown() {
    List<String> found =
        findings("redis.uri=rediss://u:hunter2@redis.example:6380", "redis.tls.verifyHost=false");

    assertEquals(1, found.size());
    assertTrue(found.get(0).contains("verifyHost"));
    assertFalse(found.toString().contains("hunter2"));
  }

  @Test
  void aKeyThatOthersCanReadIsUnsafe() throws IOException {
    Path file = Files.writeString(dir.resolve("secrets.key"), "k");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertTrue(findings().get(0).contains("chmod 600 " + file));

    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertEquals(List.of(), findings());
  }
}
