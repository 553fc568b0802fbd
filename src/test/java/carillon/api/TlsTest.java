package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.ApiKey;
import carillon.access.ApiKeyToken;
import carillon.api.edge.ServerTls;
import carillon.auth.LoginOptions;
import carillon.config.AccessSettings;
import carillon.config.Settings;
import carillon.config.TestSettings;
import carillon.support.PemPair;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of the API over TLS, and of authentication by client certificates. */
@Tag("redis")
class TlsTest {
  private static final ApiKeyToken OPERATOR = ApiKeyToken.random();

  @TempDir private static Path dir;
  private static PemPair server;
  private static PemPair next;
  private static PemPair client;
  private static PemPair stranger;

  @BeforeAll
  static void certificates() {
    server = PemPair.make(dir, "server");
    next = PemPair.make(dir, "next");
    client = PemPair.make(dir, "client");
    stranger = PemPair.make(dir, "stranger");
  }

  private static ServerTls tls(PemPair pair, Optional<PemPair> clients, Duration hsts) {
    return new ServerTls(pair.certificate(), pair.key(), clients.map(PemPair::certificate), hsts);
  }

  private static ServerTls plain(PemPair pair) {
    return tls(pair, Optional.empty(), Duration.ZERO);
  }

  private static HttpClient trusting(PemPair pair, PemPair... shown) {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .sslContext(pair.trustedBy(List.of(shown).stream().findFirst()))
        .build();
  }

  private static Answer get(HttpClient client, ApiServer api, String path, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + api.port() + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return Answer.of(client.send(request.build(), HttpResponse.BodyHandlers.ofString()));
  }

  @Test
  void isServedOverTlsAloneAndSaysSoToBrowsers() throws Exception {
    ServerTls tls = tls(server, Optional.empty(), Duration.ofDays(1));
    try (ApiServer api = ApiServer.over(tls, ApiServer.OPEN)) {
      Answer answer = get(trusting(server), api, "/jobcollections");

      answer.assertStatus(200);
      assertEquals(
          List.of("max-age=86400"), answer.headers().allValues("Strict-Transport-Security"));
      assertEquals("", api.sendRaw("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), "in the clear");
      assertThrows(
          SSLException.class, () -> get(trusting(next), api, "/jobcollections"), "not trusted");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void takesTheTwoVersionsThatAreSafe(String version) throws Exception {
    try (ApiServer api = ApiServer.over(plain(server), ApiServer.OPEN);
        SSLSocket socket = socket(api, version)) {
      socket.startHandshake();
      assertEquals(version, socket.getSession().getProtocol());
    }
  }

  /** Sends a ClientHello of TLS 1.1 (RFC 4346), which Java does not send. */
  @Test
  void doesNotTakeAnOldVersion() {
    String suites = "0004" + "c013" + "002f";
    String hello = "0302" + "00".repeat(32) + "00" + suites + "0100";
    String handshake = "01" + "%06x".formatted(hello.length() / 2) + hello;
    String sent = "160302" + "%04x".formatted(handshake.length() / 2) + handshake;
    try (ApiServer api = ApiServer.over(plain(server), ApiServer.OPEN)) {
      String answer =
          api.sendRaw(new String(HexFormat.of().parseHex(sent), StandardCharsets.ISO_8859_1));
      assertEquals(0x15, answer.charAt(0), "an alert");
      assertEquals(70, answer.charAt(6), "protocol_version");
    }
  }

  private static SSLSocket socket(ApiServer api, String version) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            server
                .trustedBy(Optional.empty())
                .getSocketFactory()
                .createSocket("127.0.0.1", api.port());
    socket.setEnabledProtocols(new String[] {version});
    return socket;
  }

  @Test
  void showsARenewedCertificateToNewConnectionsAndLetsOldOnesGoOn() throws Exception {
    try (ApiServer api = ApiServer.over(plain(server), ApiServer.OPEN);
        SSLSocket old = socket(api, "TLSv1.3")) {
      old.startHandshake();

      ApiServer.await(api.api().renew(plain(next)));

      for (int i = 0; i < 8; i++) {
        get(trusting(next), api, "/health/live").assertStatus(200);
      }
      old.getOutputStream()
          .write("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      assertTrue(line(old.getInputStream()).startsWith("HTTP/1.1 200"));
    }
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int c = in.read(); c != '\r' && c >= 0; c = in.read()) {
      text.append((char) c);
    }
    return text.toString();
  }

  @Test
  void saysWhatIsWrongWithTheFiles() throws IOException {
    Vertx vertx = Vertx.vertx();
    try {
      plain(server).check(vertx);
      refused(vertx, new ServerTls(server.certificate(), next.key(), Optional.empty(), null));
      Path empty = Files.writeString(dir.resolve("empty.pem"), "nothing");
      refused(vertx, new ServerTls(empty, server.key(), Optional.empty(), null));
      refused(vertx, new ServerTls(server.certificate(), empty, Optional.empty(), null));
      refused(vertx, new ServerTls(server.certificate(), server.key(), Optional.of(empty), null));
    } finally {
      ApiServer.await(vertx.close());
    }
  }

  private static void refused(Vertx vertx, ServerTls tls) {
    String message = assertThrows(IllegalStateException.class, () -> tls.check(vertx)).getMessage();
    assertTrue(message.contains("http.tls") && message.contains(".pem"), message);
  }

  private static LoginOptions certificates(String... rules) {
    AccessSettings access =
        TestSettings.with(
            Settings.defaults().access(),
            "accept=keys,certificates",
            "certificates=" + String.join(",", rules));
    return LoginOptions.of(access, List.of(ApiKey.ofOperator(OPERATOR)));
  }

  @Test
  void aTrustedCertificateIsWorthWhatTheRulesSay() throws Exception {
    String print =
        HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(client.encoded()));
    ServerTls tls = tls(server, Optional.of(client), Duration.ZERO);
    try (ApiServer api =
        ApiServer.over(tls, certificates("sha256:" + print + "=reader:default/*"))) {
      HttpClient known = trusting(server, client);
      get(known, api, "/jobcollections").assertStatus(200);
      get(known, api, "/nodes").assertStatus(403);
    }
  }

  @Test
  void whoShowsNoCertificateMayShowAKeyAndAKeyGoesFirst() throws Exception {
    ServerTls tls = tls(server, Optional.of(client), Duration.ZERO);
    try (ApiServer api = ApiServer.over(tls, certificates("cn:client=reader"))) {
      String key = "Bearer " + OPERATOR.reveal();
      get(trusting(server), api, "/nodes").assertStatus(401);
      get(trusting(server), api, "/keys", "Authorization", key).assertStatus(200);
      get(trusting(server, client), api, "/nodes").assertStatus(200);
      get(trusting(server, client), api, "/keys").assertStatus(403);
      get(trusting(server, client), api, "/keys", "Authorization", key).assertStatus(200);
      get(trusting(server, client), api, "/nodes", "Authorization", "Bearer no").assertStatus(401);
    }
  }

  @Test
  void aCertificateThatNobodySignedIsNoProof() throws Exception {
    ServerTls tls = tls(server, Optional.of(client), Duration.ZERO);
    try (ApiServer api = ApiServer.over(tls, certificates("cn:stranger=admin"))) {
      // A Java client sends only certificates that the server trusts, and so sends none here.
      get(trusting(server, stranger), api, "/nodes").assertStatus(401);
    }
  }

  @Test
  void aTrustedCertificateThatNoRuleNamesIsRefusedAndSoIsOneThatHasEnded() throws Exception {
    ServerTls tls = tls(server, Optional.of(client), Duration.ZERO);
    try (ApiServer api = ApiServer.over(tls, certificates("cn:somebody=reader"))) {
      get(trusting(server, client), api, "/nodes").assertStatus(401);
    }
    try (ApiServer api = ApiServer.over(tls, certificates("cn:client=reader"))) {
      HttpClient known = trusting(server, client);
      get(known, api, "/nodes").assertStatus(200);
      api.moveTo(ApiServer.START.plus(Duration.ofDays(36_500)));
      assertEquals(401, get(known, api, "/nodes").status(), "on the same connection");
    }
  }
}
