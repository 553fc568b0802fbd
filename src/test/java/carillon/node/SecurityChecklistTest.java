package carillon.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.cli.local.CheckCommand;
import carillon.config.Settings;
import carillon.config.SettingsLoader;
import carillon.redis.RedisLink;
import carillon.redis.RedisLinkOptions;
import carillon.redis.RedisSecurityChecklist;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecurityChecklistTest {
  @TempDir Path dir;

  private List<String> findings(String... more) {
    return SecurityChecklist.findings(settings(more));
  }

  private Settings settings(String... more) {
    Map<String, String> environment = new HashMap<>(Map.of("CARILLON_DATA_DIR", dir.toString()));
    for (int i = 0; i < more.length; i += 2) {
      environment.put("CARILLON_" + more[i], more[i + 1]);
    }
    return SettingsLoader.load(List.of(), environment);
  }

  @Test
  void theDefaultIsSafe() {
    assertEquals(List.of(), findings());
    assertEquals(List.of(), findings("REDIS_URI", "redis://127.0.0.1:6379"));
    assertEquals(List.of(), findings("REDIS_URI", "rediss://u:p@redis.example:6380"));
  }

  @Test
  void loopbackTargetsAreUnsafeWhereOthersAreServed() {
    assertEquals(List.of(), findings("EGRESS_LOOPBACK", "allow"));

    for (List<String> served :
        List.of(List.of("ACCESS_ACCEPT", "keys"), List.of("HTTP_NAMES", "jobs.example"))) {
      List<String> found = findings("EGRESS_LOOPBACK", "allow", served.get(0), served.get(1));

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
    assertEquals(List.of(), findings("REDIS_URI", "redis://127.0.0.1:6379"));
  }

  @Test
  void everyUnsafeSettingIsNamedWithWhatToDo() {
    List<String> found =
        findings(
            "HTTP_HOST", "0.0.0.0",
            "ACCESS_UNPROTECTED", "true",
            "REDIS_URI", "redis://redis.example:6379",
            "QUEUES_SERVICE_BUS", "orders=amqp://q.example:5672",
            "EGRESS_ALLOW", "0.0.0.0/0",
            "EGRESS_LOOPBACK", "allow");

    assertEquals(7, found.size(), found.toString());
    assertTrue(found.get(0).contains("set access.accept"));
    assertTrue(found.get(1).contains("without TLS"));
    assertTrue(found.get(2).contains("rediss://"));
    assertTrue(found.get(3).contains("redis.passwordFile"));
    assertTrue(found.get(4).contains("0.0.0.0/0"));
    assertTrue(found.get(5).contains("egress.loopback"));
    assertTrue(found.get(6).contains("amqps://"));
    assertEquals(1, findings("HTTP_HOST", "::", "ACCESS_ACCEPT", "keys").size(), "but for TLS");
  }

  @Test
  void pagesUnderAnyNameAreNamedWhereAllIsOpenOnThisMachine() {
    List<String> found = findings("ACCESS_UNPROTECTED", "true");

    assertEquals(1, found.size(), found.toString());
    assertTrue(found.get(0).contains("http.names"));
  }

  @Test
  void whatIsOpenToOthersBesideTheKeysIsNamed() {
    List<String> found =
        findings(
            "HTTP_HOST", "0.0.0.0",
            "ACCESS_ACCEPT", "keys",
            "ACCESS_OPEN_MONITORING", "true",
            "REDIS_URI", "rediss://:p@redis.example:6380");

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

    assertEquals(List.of(), CheckCommand.redis(settings("DATA_DIR", nowhere)));
    assertEquals(List.of(), CheckCommand.redis(settings()));
  }

  @Test
  void theCommandSaysWhatIsUnsafeOfSettingsAndRedis() throws InterruptedException {
    assertEquals(0, CheckCommand.check(settings(), List.of(), new StringBuilder()));

    StringBuilder out = new StringBuilder();
    try (RedisServer redis = RedisServer.start("maxmemory-policy allkeys-lru")) {
      assertEquals(1, CheckCommand.check(settings("HTTP_HOST", "::"), List.of(redis.uri()), out));
    }
    assertEquals(4, out.toString().lines().count(), out.toString());
    assertTrue(out.toString().lines().allMatch(line -> line.startsWith("unsafe: ")));

    StringBuilder none = new StringBuilder();
    assertEquals(
        3,
        CheckCommand.check(
            settings("HTTP_HOST", "::"), List.of(URI.create("redis://127.0.0.1:1")), none));
    assertTrue(none.toString().startsWith("unsafe: everybody"), "what is known is said");
  }

  @Test
  void aCertificateThatIsNotLookedAtIsUnsafeAndNoPasswordIsShown() {
    List<String> found =
        findings(
            "REDIS_URI", "rediss://u:hunter2@redis.example:6380",
            "REDIS_TLS_VERIFY_HOST", "false");

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
