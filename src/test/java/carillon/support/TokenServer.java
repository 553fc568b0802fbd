package carillon.support;

import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * An OAuth 2 authorization server (RFC 6749, section 4.4) for one tenant and one client. It
 * verifies the request and issues tokens that expire. Its path is {@code /<tenant>/oauth2/token},
 * as for Azure Active Directory, or {@code /token}, as for other servers.
 */
public final class TokenServer {
  public static final String TENANT = "contoso.example";
  public static final String CLIENT = "client-1";
  public static final String SECRET = "canary&secret+=é";
  public static final String RESOURCE = "https://api.example/";

  public static final String SCOPE = "jobs.run jobs.read";

  /** Prefix of every token. */
  public static final String TOKEN = "canary-token-";

  /** Client and secret, each encoded as RFC 6749, section 2.3.1, requires. */
  private static final String BASIC =
      "Basic "
          + Base64.getEncoder()
              .encodeToString(
                  (CLIENT + ":canary%26secret%2B%3D%C3%A9").getBytes(StandardCharsets.US_ASCII));

  /** Number of requests. */
  public final AtomicInteger requests = new AtomicInteger();

  /** Handler that replaces the normal answer, if not null. */
  public volatile Consumer<HttpServerRequest> instead;

  /** Lifetime of tokens. */
  public volatile Duration lifetime = Duration.ofHours(1);

  private final InstantSource clock;
  private final Map<String, Instant> tokens = new ConcurrentHashMap<>();
  private final int port;

  public TokenServer(Vertx vertx, InstantSource clock) {
    this.clock = clock;
    this.port =
        Await.result(vertx.createHttpServer().requestHandler(this::serve).listen(0, "127.0.0.1"))
            .actualPort();
  }

  /** Returns the token address for clients that do not use Azure. */
  public String tokenUrl() {
    return authority() + "/token";
  }

  public URI authority() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** Whether the value of an Authorization header holds a valid token of this server. */
  public boolean accepts(String authorization) {
    Instant until =
        authorization != null && authorization.startsWith("Bearer ")
            ? tokens.get(authorization.substring("Bearer ".length()))
            : null;
    return until != null && clock.instant().isBefore(until);
  }

  /** Revokes all tokens issued so far. */
  public void revokeAll() {
    tokens.clear();
  }

  private void serve(HttpServerRequest request) {
    requests.incrementAndGet();
    if (instead != null) {
      instead.accept(request);
    } else if (request.method().equals(HttpMethod.POST)
        && List.of("/token", "/" + TENANT + "/oauth2/token").contains(request.path())) {
      request.setExpectMultipart(true);
      request.end().onSuccess(end -> answer(request, request.formAttributes()));
    } else {
      request.response().setStatusCode(404).end();
    }
  }

  private static boolean isKnown(HttpServerRequest request, MultiMap form) {
    String authorization = request.getHeader("Authorization");
    return authorization == null
        ? CLIENT.equals(form.get("client_id")) && SECRET.equals(form.get("client_secret"))
        : BASIC.equals(authorization) && !form.contains("client_secret");
  }

  private static boolean isAllowed(HttpServerRequest request, MultiMap form) {
    return request.path().equals("/token")
        ? SCOPE.equals(form.get("scope")) && RESOURCE.equals(form.get("audience"))
        : RESOURCE.equals(form.get("resource"));
  }

  private void answer(HttpServerRequest request, MultiMap form) {
    if (!"client_credentials".equals(form.get("grant_type"))) {
      refuse(request, 400, "unsupported_grant_type");
    } else if (!isKnown(request, form)) {
      refuse(request, 401, "invalid_client");
    } else if (!isAllowed(request, form)) {
      refuse(request, 400, "invalid_resource");
    } else {
      String token = TOKEN + UUID.randomUUID();
      tokens.put(token, clock.instant().plus(lifetime));
      request
          .response()
          .putHeader("Content-Type", "application/json; charset=utf-8")
          .end(
              new JsonObject()
                  .put("token_type", "Bearer")
                  .put("expires_in", Long.toString(lifetime.toSeconds()))
                  .put("access_token", token)
                  .encode());
    }
  }

  private static void refuse(HttpServerRequest request, int status, String error) {
    request
        .response()
        .setStatusCode(status)
        .end(
            new JsonObject()
                .put("error", error)
                .put("error_description", "you sent " + request.formAttributes())
                .encode());
  }
}
