package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import carillon.support.CarillonProcess;
import carillon.support.Ledger;
import carillon.support.RedisServer;
import carillon.support.TestCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Test of a Redis that accepts only TLS with client certificates, and of a user with minimal
 * rights.
 */
class SecuredRedisIT extends ProcessTestBase {
  private static final String PASSWORD = "s3cr3t+word";
  private static final Pattern DOCUMENTED = Pattern.compile("(?m)^ACL SETUSER carillon .*$");

  @Test
  void everythingIsDoneOverTlsByAUserWithTheDocumentedRights() throws IOException {
    TestCertificates certificates = new TestCertificates(dir);
    certificates.sign("server", "ip:127.0.0.1");
    certificates.sign("client", "dns:carillon");
    Path passwordFile = Files.writeString(dir.resolve("password"), PASSWORD + "\n");
    try (RedisServer redis = tlsServer();
        Ledger ledger = new Ledger(Duration.ofMillis(1))) {
      redis.ask(documentedUser());
      Map<String, String> settings =
          Map.of(
              "CARILLON_REDIS_URI",
              "rediss://127.0.0.1:" + redis.tlsPort(),
              "CARILLON_REDIS_USER",
              "carillon",
              "CARILLON_REDIS_PASSWORD_FILE",
              passwordFile.toString(),
              "CARILLON_REDIS_TLS_TRUSTED_CA",
              dir.resolve("ca.pem").toString(),
              "CARILLON_REDIS_TLS_CERTIFICATE",
              dir.resolve("client.pem").toString(),
              "CARILLON_REDIS_TLS_KEY",
              dir.resolve("client.key").toString(),
              "CARILLON_REDIS_DURABILITY",
              "everysec",
              // The first TLS connection of a JVM is slow on a busy machine.
              "CARILLON_REDIS_COMMAND_TIMEOUT",
              "9s",
              "CARILLON_EGRESS_LOOPBACK",
              "allow");
      try (CarillonProcess node = start(settings)) {
        Instant due = in(Duration.ofSeconds(1));
        Jobs.putAll(node, ledger, "t", 50, i -> due);
        node.send("PUT", Jobs.PATH + "every", Jobs.everySecond(ledger.url("every"), due));
        ledger.awaitSettled(PATIENCE);
        Await.until("recurrence", PATIENCE, () -> ledger.calls("every").size() > 2);
        Await.until(
            "the ends of all", PATIENCE, () -> Jobs.inState(node, "completed").size() == 50);
        assertEquals(1, Jobs.history(node, "t0").size());
        assertEquals(200, node.send("DELETE", "/jobcollections/default", "").statusCode());
        assertEquals(List.of(), ledger.early());

        assertTrue(node.get("/health/ready").body().contains("\"durability\":\"everysec\""));
        assertFalse(node.output().contains("s3cr3t"), node.output());
        assertFalse(node.output().contains("NOPERM"), node.output());
      }
    }
  }

  @Test
  void aWrongPasswordIsSaidInOneLineThatDoesNotHoldIt() {
    try (RedisServer redis = RedisServer.startWithPort()) {
      CarillonProcess.Exit exit =
          run(
              Map.of(
                  "CARILLON_REDIS_URI",
                  redis.tcpUri().toString(),
                  "CARILLON_REDIS_USER",
                  "nobody",
                  "CARILLON_REDIS_PASSWORD",
                  PASSWORD));

      assertEquals(1, exit.code(), exit.out());
      assertEquals(1, exit.err().lines().count(), exit.err());
      assertTrue(exit.err().contains("WRONGPASS"), exit.err());
      assertFalse((exit.out() + exit.err()).contains("s3cr3t"), exit.err());
    }
  }

  /** Returns the user definition on the page about topologies. */
  private static String documentedUser() throws IOException {
    Matcher line = DOCUMENTED.matcher(Files.readString(Path.of("src/docs/topologies.md")));
    assertTrue(line.find(), "the page documents the user's rights");
    return line.group().replace("PASSWORD", PASSWORD);
  }

  private RedisServer tlsServer() {
    return RedisServer.startWithTls(
        "appendfsync everysec",
        "tls-cert-file " + dir.resolve("server.pem"),
        "tls-key-file " + dir.resolve("server.key"),
        "tls-ca-cert-file " + dir.resolve("ca.pem"));
  }
}
