package carillon.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.RedisSettings.RedisTlsSettings;
import carillon.config.Settings;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.redis.RedisLink;
import carillon.redis.route.RedisLinkOptions;
import carillon.support.EventLoopTest;
import carillon.support.RedisServer;
import carillon.support.TestCertificates;
import carillon.support.TestRedis;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of TLS and users: accepted logins and trusted servers. */
@Tag("redis")
class RedisAccessTest extends EventLoopTest {
  private static final RedisTlsSettings PLAIN = Settings.defaults().redis().tls();

  @TempDir Path dir;

  private String ping(String uri, String user, String password, RedisTlsSettings tls) {
    RedisLinkOptions setup =
        TestRedis.with(
            "uri=" + uri,
            "user=" + user,
            "password=" + password,
            "tls.trustedCa=" + tls.trustedCa(),
            "tls.certificate=" + tls.certificate(),
            "tls.key=" + tls.key(),
            "tls.verifyHost=" + tls.verifyHost(),
            "commandTimeout=20s",
            "reconnectMax=100ms");
    RedisLink link = on(() -> RedisLink.open(vertx, setup));
    String answer = on(() -> link.send(Request.cmd(Command.PING))).toString();
    on(link::close);
    return answer;
  }

  private void assertRefused(String uri, String user, String password, RedisTlsSettings tls) {
    JobException refusal = assertThrows(JobException.class, () -> ping(uri, user, password, tls));
    assertEquals(ErrorCode.STORE_UNAVAILABLE, refusal.code());
  }

  @ParameterizedTest
  @CsvSource({
    "redis://bell:p+w%40%2F@, '', ''",
    "redis://, bell, p+w@/",
    "redis://bell:p+w%40%2F@, other, wrong"
  })
  void aUserOfTheUriCountsBeforeThatOfTheSettings(String begin, String user, String password) {
    try (RedisServer redis = RedisServer.startWithPort()) {
      redis.ask("ACL SETUSER bell on >p+w@/ ~* +@all");
      redis.ask("ACL SETUSER default off");

      assertEquals("PONG", ping(begin + "127.0.0.1:" + redis.port(), user, password, PLAIN));
    }
  }

  @Test
  void aWrongPasswordIsRefused() {
    try (RedisServer redis = RedisServer.startWithPort()) {
      redis.ask("ACL SETUSER bell on >right ~* +@all");

      assertRefused(redis.tcpUri().toString(), "bell", "wrong", PLAIN);
    }
  }

  @Test
  void tlsIsCheckedFromBothSides() {
    TestCertificates certificates = new TestCertificates(dir);
    certificates.sign("server", "dns:localhost");
    certificates.sign("client", "dns:carillon");
    String ca = dir.resolve("ca.pem").toString();
    String client = dir.resolve("client.pem").toString();
    String key = dir.resolve("client.key").toString();
    try (RedisServer redis = tlsServer()) {
      String uri = "rediss://localhost:" + redis.tlsPort();
      String byAddress = "rediss://127.0.0.1:" + redis.tlsPort();
      RedisTlsSettings full = new RedisTlsSettings(ca, client, key, true);

      assertEquals("PONG", ping(uri, "", "", full));
      assertRefused(uri, "", "", new RedisTlsSettings(ca, "", "", true));
      assertRefused(uri, "", "", new RedisTlsSettings("", client, key, true));
      assertRefused(byAddress, "", "", full);
      assertEquals("PONG", ping(byAddress, "", "", new RedisTlsSettings(ca, client, key, false)));
      assertTrue(redis.list("INFO server").get(0).contains("redis_version"));
    }
  }

  private RedisServer tlsServer() {
    return RedisServer.startWithTls(
        "tls-cert-file " + dir.resolve("server.pem"),
        "tls-key-file " + dir.resolve("server.key"),
        "tls-ca-cert-file " + dir.resolve("ca.pem"),
        "tls-auth-clients yes");
  }
}
