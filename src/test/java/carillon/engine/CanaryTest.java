package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.ApiKeyToken;
import carillon.config.SettingsLoader;
import carillon.node.Node;
import carillon.support.Await;
import carillon.support.Keys256;
import carillon.support.LogCapture;
import carillon.support.RedisServer;
import carillon.support.TestCertificate;
import carillon.support.TokenServer;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.PfxOptions;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plants a canary in every secret field. Lets jobs succeed and fail in every way, against targets
 * that repeat their requests. Then searches every readable output for the canaries.
 */
@Tag("redis")
class CanaryTest {
  private static final Pattern LISTENING = Pattern.compile("listening on (http://\\S+)");
  private static final String C = "/jobcollections/c";
  private static final String ARM =
      "/subscriptions/default/resourceGroups/default/providers/Microsoft.Scheduler"
          + "/jobCollections/c/jobs?api-version=2016-03-01";
  private static final String SIGNING = Keys256.key(31);
  private static final String OPERATOR = ApiKeyToken.random().reveal();

  @TempDir Path dir;
  private final Vertx vertx = Vertx.vertx();
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<String> answers = new ArrayList<>();
  private final List<String> keysMade = new ArrayList<>();
  private final AtomicInteger calls = new AtomicInteger();
  private LogCapture logs;
  private TestCertificate server;
  private TestCertificate client;
  private TokenServer authority;
  private Node app;
  private String api;
  private String key = OPERATOR;

  @BeforeEach
  void start() {
    RedisServer.shared().flush();
    server = TestCertificate.make(dir, "localhost", "server");
    client = TestCertificate.make(dir, "client", "canary-pfx-password");
    authority = new TokenServer(vertx, InstantSource.system());
    logs = new LogCapture();
    app =
        Await.result(
            Node.start(
                SettingsLoader.load(
                    List.of(),
                    Map.of(
                        "CARILLON_HTTP_PORT", "0",
                        "CARILLON_PARTITIONS", "4",
                        "CARILLON_EGRESS_LOOPBACK", "allow",
                        "CARILLON_ACCESS_ACCEPT", "keys",
                        "CARILLON_ACCESS_ADMIN_KEY", OPERATOR,
                        "CARILLON_QUEUES_STORAGE_ACCOUNTS", "acct=http://127.0.0.1:1",
                        "CARILLON_QUEUES_SERVICE_BUS",
                            "contoso=amqp://127.0.0.1:1,contoso=http://127.0.0.1:1",
                        "CARILLON_SECRETS_KEYS", Keys256.key(1),
                        "CARILLON_OAUTH_AUTHORITY", authority.authority().toString(),
                        "CARILLON_DISPATCH_TRUSTED_CA", server.pem().toString())),
                List.of(RedisServer.shared().uri()),
                false));
    api = listening();
  }

  @AfterEach
  void stop() {
    Await.result(app.stop());
    Await.result(vertx.close());
    logs.close();
  }

  private String listening() {
    for (String line : logs.lines()) {
      Matcher matcher = LISTENING.matcher(line);
      if (matcher.find()) {
        return matcher.group(1);
      }
    }
    throw new IllegalStateException("not listening: " + logs.lines());
  }

  /** Starts a target that repeats its whole request, in its headers and its body. */
  private String serve(int status) {
    HttpServerOptions options =
        new HttpServerOptions()
            .setSsl(true)
            .setUseAlpn(true)
            .setClientAuth(ClientAuth.REQUEST)
            .setTrustOptions(new PemTrustOptions().addCertPath(client.pem().toString()))
            .setKeyCertOptions(
                new PfxOptions().setPath(server.pfx().toString()).setPassword(server.password()));
    return "https://localhost:"
        + Await.result(
                vertx
                    .createHttpServer(options)
                    .requestHandler(request -> echo(request, status))
                    .listen(0, "127.0.0.1"))
            .actualPort()
        + "/";
  }

  private void echo(HttpServerRequest request, int status) {
    calls.incrementAndGet();
    StringBuilder all = new StringBuilder();
    all.append(request.uri());
    request.headers().forEach(h -> all.append(h.getKey()).append('=').append(h.getValue()));
    String authorization = request.getHeader("Authorization");
    request.response().setStatusCode(status);
    if (authorization != null) {
      request.response().putHeader("X-Echo", authorization);
    }
    request.response().end(all.toString());
  }

  private HttpResponse<String> send(String method, String path, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(api + path))
            .method(method, HttpRequest.BodyPublishers.ofString(body.replace('`', '"')))
            .header("Authorization", "Bearer " + key)
            .build();
    try {
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      answers.add(method + " " + path + ": " + answer.headers().map() + answer.body());
      return answer;
    } catch (java.io.IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String request(String uri, String authentication) {
    return "{`uri`:`"
        + uri
        + "`,`method`:`POST`,`body`:`b`,`authentication`:"
        + authentication
        + "}";
  }

  private static String job(String request, String errorRequest) {
    return "{`action`:{`type`:`https`,`request`:"
        + request
        + ",`retryPolicy`:{`retryType`:`none`},`errorAction`:{`type`:`https`,`request`:"
        + errorRequest
        + "}}}";
  }

  private static String basic(int number) {
    return "{`type`:`basic`,`username`:`u`,`password`:`canary-password-" + number + "`}";
  }

  private static String oauth(String secret) {
    return "{`type`:`activeDirectoryOAuth`,`tenant`:`"
        + TokenServer.TENANT
        + "`,`audience`:`"
        + TokenServer.RESOURCE
        + "`,`clientId`:`"
        + TokenServer.CLIENT
        + "`,`secret`:`"
        + secret
        + "`}";
  }

  private static String apiKey(String in) {
    return "{`type`:`apiKey`,`name`:`k`,`value`:`canary-api-key`,`in`:`" + in + "`}";
  }

  private String client(String secret) {
    return "{`type`:`oauth2ClientCredentials`,`tokenUrl`:`"
        + authority.tokenUrl()
        + "`,`clientId`:`"
        + TokenServer.CLIENT
        + "`,`scope`:`"
        + TokenServer.SCOPE
        + "`,`audience`:`"
        + TokenServer.RESOURCE
        + "`,`clientSecret`:`"
        + secret
        + "`}";
  }

  private static String queues(String transport) {
    return "{`action`:{`type`:`storageQueue`,`queueMessage`:{`storageAccount`:`acct`,"
        + "`queueName`:`jobs`,`message`:`m`,`sasToken`:`sv=1&sig=canary-sas`},"
        + "`retryPolicy`:{`retryType`:`none`},`errorAction`:{`type`:`serviceBusTopic`,"
        + "`serviceBusTopicMessage`:{`topicPath`:`t`,`namespace`:`contoso`,`message`:`m`,"
        + "`transportType`:`"
        + transport
        + "`,`authentication`:{`type`:`sharedAccessKey`,`sasKeyName`:`n`,"
        + "`sasKey`:`canary-sas-key`}}}}}";
  }

  private String certificate(String password) {
    return "{`type`:`clientCertificate`,`pfx`:`%s`,`password`:`%s`}"
        .formatted(client.base64(), password);
  }

  @Test
  void noSecretIsFoundAnywhere() {
    String fine = serve(200);
    String broken = serve(500);
    String refusing = serve(401);
    String nobody = "https://localhost:1/";
    String headers =
        "{`uri`:`%s`,`method`:`GET`,`headers`:{`Authorization`:`Bearer canary-header`,"
            + "`Cookie`:`s=canary-cookie`}}";
    String query = "?a=b&code=canary%2Fcode&token=canary-token";
    send("PUT", C, "{`signing`:{`secrets`:[`whsec_" + SIGNING + "`]}}");
    Map<String, String> jobs =
        Map.of(
            "amqp", queues("amqp"),
            "rest", queues("netMessaging"),
            "basic", job(request(broken, basic(1)), request(fine, basic(2))),
            "away", job(request(nobody, basic(3)), request(refusing, basic(4))),
            "certificate",
                job(request(broken, certificate(client.password())), request(fine, basic(5))),
            "oauth", job(request(refusing, oauth(TokenServer.SECRET)), request(fine, basic(6))),
            "bearer",
                job(
                    request(broken, "{`type`:`bearer`,`token`:`canary-bearer`}"),
                    request(fine, apiKey("header"))),
            "client",
                job(request(refusing, client(TokenServer.SECRET)), request(fine, apiKey("query"))),
            "denied", job(request(fine, oauth("canary-wrong")), request(fine, basic(7))),
            "headers", job(headers.formatted(broken + query), headers.formatted(fine + query)));

    jobs.forEach((name, job) -> assertEquals(201, put(name, job), answers.toString()));
    jobs.keySet().forEach(this::awaitEnd);
    List<String> history = jobs.keySet().stream().map(this::history).toList();
    everyWayToBeRefused(fine);
    keys();

    assertTrue(calls.get() >= 10, "targets were called " + calls);
    send("GET", "/audit", "");
    assertHidden(List.of(send("GET", "/metrics", "").body()));
    assertHidden(history);
    assertHidden(logs.lines());
    assertHidden(answers);
    assertHidden(List.of(RedisServer.shared().dump()));
    assertTrue(history.toString().contains("***"), "targets repeated what they were sent");
  }

  /** Uses keys. The single answer that shows a key is removed from the recorded answers. */
  private void keys() {
    String made =
        send("POST", "/keys", "{`client`:`c`,`grants`:[`writer:default/default/c`]}").body();
    answers.remove(answers.size() - 1);
    key = made.replaceAll("(?s).*\"key\":\"([^\"]+)\".*", "$1");
    made(key);
    assertEquals(201, put("mine", queues("amqp")));
    assertEquals(403, send("GET", "/keys", "").statusCode());
    key = key.substring(0, key.length() - 4) + "0000";
    made(key);
    assertEquals(401, send("GET", "/keys", "").statusCode());
    key = OPERATOR;
    assertEquals(200, send("GET", "/keys", "").statusCode());
  }

  private void made(String secret) {
    assertTrue(secret.startsWith("ck_"), secret);
    keysMade.add(secret.substring(secret.lastIndexOf('_') + 1));
  }

  private int put(String name, String job) {
    return send("PUT", C + "/jobs/" + name, job).statusCode();
  }

  private void awaitEnd(String name) {
    Await.until(
        "end of " + name,
        () -> {
          String body = send("GET", C + "/jobs/" + name, "").body();
          return body.contains("\"state\":\"faulted\"");
        });
    send("GET", ARM, "");
  }

  private String history(String name) {
    String body = send("GET", C + "/jobs/" + name + "/history", "").body();
    assertTrue(body.contains("ErrorAction") && body.contains("MainAction"), body);
    return body;
  }

  /** Errors quote the invalid value, except if it was a secret. */
  private void everyWayToBeRefused(String uri) {
    List<String> bad =
        List.of(
            request("http://localhost/", basic(8)),
            request(uri, "{`type`:`basic`,`username`:`u:u`,`password`:`canary-9`}"),
            request(uri, "{`type`:`basic`,`username`:`u`,`password`:`canary-9\\n`}"),
            request(uri, "{`type`:`basic`,`username`:`u`,`password`:[`canary-9`]}"),
            request(uri, "{`type`:`basic`,`username`:`u`,`password`:`sealed:v1:canary:9`}"),
            request(uri, "{`type`:`basic`,`password`:`canary-9`,`clientId`:`x`}"),
            request(uri, certificate("canary-wrong")),
            request(uri, "{`type`:`clientCertificate`,`pfx`:`canary!`,`password`:`canary-9`}"),
            request(uri, "{`type`:`clientCertificate`,`pfx`:`canary9a`,`password`:`canary-9`}"),
            request(uri, "{`type`:`clientCertificate`,`password`:`canary-9`}"),
            request(uri + "?code=canary 9", "null"),
            request(uri, "{`type`:`bearer`,`token`:`canary 9`}"),
            request(uri, "{`type`:`apiKey`,`name`:`k`,`value`:`canary-9\\n`}"),
            request(uri, client("canary-9").replace("`tokenUrl`", "`tokenurls`")),
            request(uri, oauth("canary-9").replace(TokenServer.TENANT, "../x")));
    for (String request : bad) {
      assertEquals(400, put("bad", job(request, request(uri, "null"))), answers.toString());
    }
    assertEquals(400, put("bad", "{`password`:`canary-9`"));
    assertEquals(400, put("bad", queues("amqp").replace("sig=canary", "sig= canary")));
    assertEquals(400, put("bad", queues("amqp").replace("`canary-sas-key`", "[`canary-9`]")));
    assertEquals(400, send("PUT", C, "{`signing`:{`secrets`:[`whsec_canary`]}}").statusCode());
    assertEquals(400, send("PUT", C, "{`signing`:{`secrets`:`canary`}}").statusCode());
  }

  /** Fails if a text contains one of the canaries. */
  private void assertHidden(List<String> texts) {
    List<String> canaries = new ArrayList<>(List.of(SIGNING, client.base64().substring(40, 80)));
    for (int i = 1; i < 10; i++) {
      canaries.add(
          Base64.getEncoder()
              .encodeToString(("u:canary-password-" + i).getBytes(StandardCharsets.UTF_8)));
    }
    canaries.add(TokenServer.SECRET);
    canaries.add(URLEncoder.encode(TokenServer.SECRET, StandardCharsets.UTF_8));
    canaries.add(Keys256.key(1));
    canaries.add(OPERATOR.substring(OPERATOR.lastIndexOf('_')));
    canaries.addAll(keysMade);
    for (String text : texts) {
      assertFalse(text.contains("canary"), text);
      canaries.forEach(canary -> assertFalse(text.contains(canary), canary + " in " + text));
    }
  }
}
