package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.CarillonProcess;
import carillon.support.HostileHttp2Server;
import carillon.support.HostileHttp2Server.Kind;
import carillon.support.Ledger;
import carillon.support.TestCertificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Test of a node with one job per second whose target misuses HTTP/2. Calls to other targets are
 * made, and the log remains readable.
 */
class HostileHttp2IT extends ProcessTestBase {
  private static final int SECONDS = 10;
  private static final Duration LEAD = Duration.ofSeconds(3);

  /** Maximum number of log lines. A line for each frame would be far more. */
  private static final int LINES = 1000;

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"PUSHES", "HINTS", "AFTER_THE_END", "PINGS"})
  void oneHostileTargetStopsNobodyAndFillsNoLog(Kind kind) {
    TestCertificate certificate = TestCertificate.make(dir, "localhost", "server");
    try (Ledger canary = new Ledger(Duration.ofMillis(1));
        HostileHttp2Server hostile = new HostileHttp2Server(kind, certificate);
        CarillonProcess node =
            start(
                "CARILLON_DISPATCH_TIMEOUT",
                "3s",
                "CARILLON_DISPATCH_TRUSTED_CA",
                certificate.pem().toString())) {
      Instant from = Instant.now().plus(LEAD);
      node.send("PUT", Jobs.PATH + "hostile", Jobs.everySecond(hostile.url(), from));
      Jobs.putAll(node, canary, "canary", SECONDS, i -> from.plusSeconds(i));
      canary.awaitSettled(PATIENCE);

      System.out.println(kind + ": " + Jobs.figures(canary.lateness()));
      assertEquals(List.of(), canary.faults());
      assertTrue(hostile.opened() > 0);
      assertEquals(200, node.get("/health/live").statusCode());
      long lines = (node.output() + node.errors()).lines().count();
      assertTrue(lines < LINES, () -> lines + " lines of log");
    }
  }
}
