package carillon.api.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.ApiKey;
import carillon.access.ApiKeyToken;
import carillon.api.Answer;
import carillon.api.ApiServer;
import carillon.api.RawHttp;
import carillon.api.TestLimits;
import carillon.api.http.HttpException;
import carillon.auth.ClientNetwork;
import carillon.auth.LoginOptions;
import carillon.support.Await;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Test of the limits on connections and requests. */
@Tag("redis")
class AdmissionLimitsTest {
  private static final byte[] REQUEST =
      "GET /health/live HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static AdmissionLimits limits(
      int connections, int perAddress, int caller, int collection) {
    return TestLimits.admission(
        "http.maxConnections=" + connections,
        "http.maxConnectionsPerAddress=" + perAddress,
        "http.jobsMayWrite=false",
        "rates.perCaller=" + caller,
        "rates.perCollection=" + collection);
  }

  @Test
  void connectionsAreCountedInAndOut() {
    AdmissionLimits admission = limits(3, 2, 0, 0);

    assertTrue(admission.enter("a"));
    assertTrue(admission.enter("a"));
    assertFalse(admission.enter("a"), "a third of one address");
    assertTrue(admission.enter("b"));
    assertFalse(admission.enter("c"), "a fourth at all");
    admission.leave("a");
    assertTrue(admission.enter("c"));
    admission.leave("c");
    assertTrue(admission.enter("a"));
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.1, 192.0.2.1",
    "2001:db8:1:2:0:0:0:1, 2001:db8:1:2::/64",
    "2001:db8:1:2:ffff:0:0:9, 2001:db8:1:2::/64",
    "fe80:0:0:0:0:0:0:1%eth0, fe80:0:0:0::/64"
  })
  void whoeverHasOneAddressOfANetworkOfIpv6HasThemAll(String address, String network) {
    assertEquals(network, ClientNetwork.of(address));
  }

  @Test
  void oneConnectionTooManyIsRefusedAndThoseThatEndMakeRoom() throws IOException {
    try (ApiServer api = new ApiServer(ApiServer.OPEN, limits(3, 0, 0, 0))) {
      List<Socket> held = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        held.add(RawHttp.connect(api.port()));
        held.get(i).getOutputStream().write(REQUEST);
        assertEquals('H', held.get(i).getInputStream().read());
      }
      try (Socket silent = RawHttp.connect(api.port());
          Socket more = RawHttp.connect(api.port())) {
        more.getOutputStream().write(REQUEST);
        String answer = new String(more.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertTrue(answer.startsWith("HTTP/1.1 503 "), answer);
        assertTrue(answer.contains("retry-after: 1"), answer);
        assertEquals(-1, silent.getInputStream().read());
      }
      for (Socket socket : held) {
        socket.close();
      }

      Await.until(
          "room",
          () -> {
            try {
              return api.get("/health/live").status() == 200;
            } catch (RuntimeException e) {
              return false; // closed: the other connections are still counted
            }
          });
    }
  }

  @Test
  void aCallerWhoAsksTooOftenWaitsAndNobodyElse() {
    ApiKeyToken one = ApiKeyToken.random();
    ApiKeyToken other = ApiKeyToken.random();
    LoginOptions login =
        ApiServer.keys(
            List.of(ApiKey.ofOperator(one), ApiKey.ofOperator(other)),
            Duration.ofSeconds(5),
            false);
    try (ApiServer api = new ApiServer(login, limits(100, 0, 3, 0))) {
      api.moveTo(ApiServer.START.plusSeconds(20));
      for (int i = 0; i < 3; i++) {
        list(api, one).assertStatus(200);
      }
      Answer refused = list(api, one).assertStatus(429);
      assertEquals("40", refused.header("Retry-After"));
      refused.assertContains("TooManyRequests");
      list(api, other).assertStatus(200);

      api.moveTo(ApiServer.START.plusSeconds(60));
      list(api, one).assertStatus(200);
    }
  }

  private static Answer list(ApiServer api, ApiKeyToken key) {
    return api.get("/jobcollections", "api-key", key.reveal());
  }

  @Test
  void aCollectionThatIsAskedForTooOftenDoesNotHinderOthers() {
    try (ApiServer api = new ApiServer(ApiServer.OPEN, limits(100, 0, 0, 3))) {
      api.put("/jobcollections/a", "{}").assertStatus(201);
      api.put("/jobcollections/b", "{}").assertStatus(201);
      api.get("/jobcollections/A/jobs/j").assertStatus(404);
      api.get("/jobcollections/a/jobs").assertStatus(200);
      Answer refused = api.get("/jobcollections/a");

      refused.assertStatus(429);
      assertEquals("60", refused.header("Retry-After"));
      api.get("/jobcollections/b").assertStatus(200);
    }
  }

  @Test
  void aJobThatWouldChangeSomethingIsALoop() {
    String[] mark = {"x-ms-scheduler-jobid", "j"};
    try (ApiServer api = new ApiServer(ApiServer.OPEN, limits(100, 0, 0, 0))) {
      Answer refused = api.put("/jobcollections/a", "{}", mark);
      refused.assertStatus(409).assertContains("LoopDetected");
      api.post("/jobcollections/a/jobs/j/run", "", mark).assertStatus(409);
      api.get("/jobcollections", mark).assertStatus(200);
      assertEquals(404, api.get("/jobcollections/a").status(), "nothing is made");
    }
    try (ApiServer api = new ApiServer(ApiServer.OPEN, TestLimits.admission())) {
      api.put("/jobcollections/a", "{}", mark).assertStatus(201);
    }
  }

  @Test
  void aCallerWatchesSoManyTimesAtOnce() {
    AdmissionLimits admission = TestLimits.admission();
    for (int i = 0; i < 20; i++) {
      admission.enterStream("one");
    }

    HttpException refusal = assertThrows(HttpException.class, () -> admission.enterStream("one"));
    assertEquals(429, refusal.status());
    admission.enterStream("other");
    admission.leaveStream("one");
    admission.enterStream("one");
  }
}
