package carillon.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.ApiKey;
import carillon.access.ApiKeyToken;
import carillon.api.ApiServer;
import carillon.auth.ClientNetwork;
import carillon.auth.LoginOptions;
import carillon.support.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much is let in. */
class AdmissionLimitsTest {
  private static final byte[] REQUEST =
      "GET /health/live HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static AdmissionLimits limits(
      int connections, int perAddress, int caller, int collection) {
    return ApiServer.admission(
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
  void oneConnectionTooManyIsClosedAndThoseThatEndMakeRoom() throws IOException {
    try (ApiServer api = new ApiServer(ApiServer.OPEN, limits(3, 0, 0, 0))) {
      List<Socket> held = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        held.add(connect(api));
        held.get(i).getOutputStream().write(REQUEST);
        assertEquals('H', held.get(i).getInputStream().read());
      }
      try (Socket more = connect(api)) {
        assertEquals(-1, more.getInputStream().read());
      }
      for (Socket socket : held) {
        socket.close();
      }

      Await.until(
          "room",
          () -> {
            try {
              return api.send("GET", "/health/live", null).statusCode() == 200;
            } catch (RuntimeException e) {
              return false; // closed: the others are not counted out yet
            }
          });
    }
  }

  private static Socket connect(ApiServer api) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.port());
    socket.setSoTimeout(30_000);
    return socket;
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
        assertEquals(200, list(api, one).statusCode());
      }
      HttpResponse<String> refused = list(api, one);
      assertEquals(429, refused.statusCode());
      assertEquals("40", refused.headers().firstValue("Retry-After").orElseThrow());
      assertTrue(refused.body().contains("TooManyRequests"), refused.body());
      assertEquals(200, list(api, other).statusCode());

      api.moveTo(ApiServer.START.plusSeconds(60));
      assertEquals(200, list(api, one).statusCode());
    }
  }

  private static HttpResponse<String> list(ApiServer api, ApiKeyToken key) {
    return api.send("GET", "/jobcollections", null, "api-key", key.reveal());
  }

  @Test
  void aCollectionThatIsAskedForTooOftenDoesNotHinderOthers() {
    try (ApiServer api = new ApiServer(ApiServer.OPEN, limits(100, 0, 0, 3))) {
      assertEquals(201, api.send("PUT", "/jobcollections/a", "{}").statusCode());
      assertEquals(201, api.send("PUT", "/jobcollections/b", "{}").statusCode());
      assertEquals(404, api.send("GET", "/jobcollections/A/jobs/j", null).statusCode());
      assertEquals(200, api.send("GET", "/jobcollections/a/jobs", null).statusCode());
      HttpResponse<String> refused = api.send("GET", "/jobcollections/a", null);

      assertEquals(429, refused.statusCode());
      assertEquals("60", refused.headers().firstValue("Retry-After").orElseThrow());
      assertEquals(200, api.send("GET", "/jobcollections/b", null).statusCode());
    }
  }

  @Test
  void aJobThatWouldChangeSomethingIsALoop() {
    String[] mark = {"x-ms-scheduler-jobid", "j"};
    try (ApiServer api = new ApiServer(ApiServer.OPEN, limits(100, 0, 0, 0))) {
      HttpResponse<String> refused = api.send("PUT", "/jobcollections/a", "{}", mark);
      assertEquals(409, refused.statusCode());
      assertTrue(refused.body().contains("LoopDetected"), refused.body());
      assertEquals(409, api.send("POST", "/jobcollections/a/jobs/j/run", "", mark).statusCode());
      assertEquals(200, api.send("GET", "/jobcollections", null, mark).statusCode());
      assertEquals(404, api.send("GET", "/jobcollections/a", null).statusCode(), "nothing is made");
    }
    try (ApiServer api = new ApiServer(ApiServer.OPEN, ApiServer.admission())) {
      assertEquals(201, api.send("PUT", "/jobcollections/a", "{}", mark).statusCode());
    }
  }

  @Test
  void aCallerWatchesSoManyTimesAtOnce() {
    AdmissionLimits admission = ApiServer.admission();
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
