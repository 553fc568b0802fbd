package carillon.support;

import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * An OAuth 2 authorization server (RFC 6749, section 4.4) for one tenant and one client: checks
 * what it is sent and gives tokens that end.
 */
public final class TokenServer {
  public static final String TENANT = "contoso.example";
  public static final String CLIENT = "client-1";
  public static final String SECRET = "canary&secret+=é";
  public static final String RESOURCE = "https://api.example/";

  /** How every token begins. */
  public static final String TOKEN = "canary-token-";

  /** How many requests came. */
  public final AtomicInteger requests = new AtomicInteger();

  /** What is answered instead, if not null. */
  public volatile Consumer<HttpServerRequest> instead;

  /** How long tokens live. */
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

  public URI authority() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** Whether the value of an Authorization header holds a token of this server. */
  public boolean accepts(String authorization) {
    Instant until =
        authorization != null && authorization.startsWith("Bearer ")
            ? tokens.get(authorization.substring("Bearer ".length()))
            : null;
    return until != null && clock.instant().isBefore(until);
  }

  /** Tokens given until now are no longer good. */
  public void revokeAll() {
    tokens.clear();
  }

  private void serve(HttpServerRequest request) {
    requests.incrementAndGet();
    if (instead != null) {
      instead.accept(request);
    } else if (!request.method().equals(HttpMethod.POST)
        || !request.path().equals("/" + TENANT + "/oauth2/token")) {
      request.response().setStatusCode(404).end();
    } else {
      request.setExpectMultipart(true);
      request.end().onSuccess(end -> answer(request, request.formAttributes()));
    }
  }

  private void answer(HttpServerRequest request, MultiMap form) {
    if (!"client_credentials".equals(form.get("grant_type"))) {
      refuse(request, 400, "unsupported_grant_type");
    } else if (!CLIENT.equals(form.get("client_id")) || !SECRET.equals(form.get("client_secret"))) {
      refuse(request, 401, "invalid_client");
    } else if (!RESOURCE.equals(form.get("resource"))) {
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
