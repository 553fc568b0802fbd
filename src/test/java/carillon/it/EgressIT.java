package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.CallbackServer;
import carillon.support.CarillonProcess;
import carillon.support.JobJson;
import carillon.support.RedisServer;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Test of the targets that the settings of the packaged program allow. */
class EgressIT extends ProcessTestBase {

  private static HttpResponse<String> put(CarillonProcess node, String uri) {
    return node.send("PUT", Jobs.PATH + "j", JobJson.get(uri).json());
  }

  private static void assertNotAllowed(HttpResponse<String> answer) {
    assertEquals(400, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains("target address not allowed"), answer.body());
  }

  @Test
  void aFirstTrialMayCallThisMachineButNotItself() {
    try (CallbackServer target = new CallbackServer();
        CarillonProcess node = start()) {
      assertEquals(201, put(node, target.url("/x")).statusCode());
      target.awaitCalls(1);

      assertTrue(node.output().contains("targets=\"public, loopback\""), node.output());
      assertNotAllowed(put(node, node.base() + "/health/live"));
      assertNotAllowed(put(node, "http://localhost:" + node.base().getPort() + "/"));
      assertNotAllowed(put(node, "http://169.254.169.254/"));
    }
  }

  @Test
  void elsewhereLoopbackIsClosedButForWhatIsNamed() {
    try (CallbackServer open = new CallbackServer();
        CallbackServer closed = new CallbackServer();
        CarillonProcess node =
            start(
                "CARILLON_HTTP_HOST", "0.0.0.0",
                "CARILLON_ACCESS_UNPROTECTED", "true",
                "CARILLON_EGRESS_ALLOW", open.url("").substring("http://".length()))) {
      assertTrue(node.output().contains("targets=\"public, 1 of egress.allow\""), node.output());
      assertNotAllowed(put(node, closed.url("/x")));
      assertEquals(201, put(node, open.url("/x")).statusCode());
      open.awaitCalls(1);
    }
  }

  @Test
  void itsRedisIsClosedToJobsUnderEveryName() {
    try (RedisServer redis = RedisServer.startWithPort();
        CarillonProcess node = start(on(redis.tcpUri().toString()))) {
      int port = redis.port();
      assertNotAllowed(put(node, "http://127.0.0.1:" + port + "/"));
      assertNotAllowed(put(node, "http://127.8.8.8:" + port + "/"));
      assertNotAllowed(put(node, "http://localhost:" + port + "/"));
    }
  }

  @Test
  void anEntryThatCannotBeUnderstoodIsSaidInOneLine() {
    CarillonProcess.Exit exit = run(Map.of("CARILLON_EGRESS_ALLOW", "10.0.0.0/8,10.0.0.0/33"));

    assertEquals(1, exit.code());
    assertTrue(
        exit.err().contains("carillon: cannot start: egress.allow: '10.0.0.0/33' must end in"),
        exit.err());
  }
}
