package carillon.dispatch.http;

import carillon.config.DispatchSettings;
import carillon.dispatch.call.AuthenticationException;
import carillon.dispatch.call.FailureCause;
import carillon.dispatch.egress.Egress;
import carillon.job.action.HttpTarget;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Client of the authorities that grant OAuth tokens. The egress policy binds an authority of a job,
 * but not one that the operator chose. Only the error code of an answer is repeated.
 */
public final class OAuthTokenClient {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /**
   * Maximum number of connections to one authority: as many as the concurrent requests of the
   * cache's two queues.
   */
  private static final int CONNECTIONS = 9;

  private static final int MAX_WAITING = 1000;
  private static final int MAX_ANSWER = 64 * 1024;
  private static final long MAX_SECONDS = Duration.ofDays(1).toSeconds();

  /** Pattern of an error code (RFC 6749, section 5.2). */
  private static final Pattern ERROR = Pattern.compile("[a-z_]{1,40}");

  /** Pattern of a token that fits into a header. */
  private static final Pattern TOKEN = Pattern.compile("[!-~]{1,16384}");

  private final HttpClient client;
  private final Egress egress;
  private final Duration patience;

  public OAuthTokenClient(Vertx vertx, DispatchSettings dispatch, Egress egress) {
    this.egress = egress;
    this.patience = dispatch.timeout().compareTo(PATIENCE) < 0 ? dispatch.timeout() : PATIENCE;
    HttpClientOptions options =
        new HttpClientOptions().setConnectTimeout((int) patience.toMillis());
    HttpClients.trust(dispatch).ifPresent(options::setTrustOptions);
    PoolOptions pool =
        new PoolOptions().setHttp1MaxSize(CONNECTIONS).setMaxWaitQueueSize(MAX_WAITING);
    this.client =
        vertx
            .httpClientBuilder()
            .with(options)
            .with(pool)
            .withConnectHandler(connection -> ConnectionGuard.set(connection, MAX_ANSWER))
            .build();
  }

  /**
   * Token from an authority.
   *
   * @param lifetime zero if the authority does not say
   */
  record Token(String text, Duration lifetime) {
    /** Shows no secret. */
    @Override
    public String toString() {
      return "Token";
    }
  }

  /** Requests a token; fails with {@link AuthenticationException}. */
  Future<Token> request(ClientCredentialsGrant grant) {
    HttpTarget endpoint = grant.endpoint();
    TokenExchange exchange = new TokenExchange(endpoint.host());
    return options(grant)
        .compose(client::request)
        .compose(request -> exchange.send(request, grant.form()))
        .compose(exchange::read)
        .timeout(patience.toMillis(), TimeUnit.MILLISECONDS)
        .onFailure(failure -> exchange.cancel())
        .recover(failure -> Future.failedFuture(failed(exchange, failure)));
  }

  private Future<RequestOptions> options(ClientCredentialsGrant grant) {
    HttpTarget endpoint = grant.endpoint();
    MultiMap headers =
        MultiMap.caseInsensitiveMultiMap()
            .set("Content-Type", "application/x-www-form-urlencoded")
            .set("Accept", "application/json");
    grant.authorization().ifPresent(value -> headers.set("Authorization", value));
    RequestOptions options =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setSsl(endpoint.secure())
            .setHost(endpoint.uriHost())
            .setPort(endpoint.port())
            .setURI(endpoint.path())
            .setHeaders(headers);
    return grant.isTrusted()
        ? Future.succeededFuture(options)
        : egress.check(endpoint.host(), endpoint.port()).map(options::setServer);
  }

  private AuthenticationException failed(TokenExchange exchange, Throwable failure) {
    return failure instanceof AuthenticationException known
        ? known
        : failed(
            exchange.host,
            failure instanceof java.util.concurrent.TimeoutException
                ? "no answer within " + patience.toMillis() + " ms"
                : exchange.violation().orElseGet(() -> FailureCause.of(failure)));
  }

  private static AuthenticationException failed(String host, String why) {
    return failed(host, why, false);
  }

  private static AuthenticationException failed(String host, String why, boolean refused) {
    return new AuthenticationException("no token from '" + host + "': " + why, refused);
  }

  /** Whether the status is a lasting refusal of the client or its secret. */
  private static boolean isRefusal(int status) {
    return status == 400 || status == 401;
  }

  private Token token(String host, int status, Buffer body) {
    JsonObject answer = json(host, status, body);
    if (status != 200) {
      String error = text(answer, "error");
      throw failed(
          host,
          "it answered " + status + (ERROR.matcher(error).matches() ? " (" + error + ")" : ""),
          isRefusal(status));
    }
    String type = text(answer, "token_type");
    String text = text(answer, "access_token");
    if (!type.equalsIgnoreCase("Bearer") || !TOKEN.matcher(text).matches()) {
      throw failed(host, "its answer holds no bearer token");
    }
    return new Token(text, lifetime(answer.getValue("expires_in")));
  }

  private JsonObject json(String host, int status, Buffer body) {
    try {
      return body.toJsonObject();
    } catch (DecodeException | ClassCastException e) {
      throw failed(host, "it answered " + status + ", and not in JSON", isRefusal(status));
    }
  }

  private static String text(JsonObject answer, String name) {
    return answer.getValue(name) instanceof String text ? text : "";
  }

  /** Reads the lifetime. Azure writes the number as a text. */
  private static Duration lifetime(Object seconds) {
    try {
      long number = (long) Double.parseDouble(String.valueOf(seconds));
      return Duration.ofSeconds(Math.max(0, Math.min(MAX_SECONDS, number)));
    } catch (NumberFormatException e) {
      return Duration.ZERO;
    }
  }

  Future<Void> close() {
    return client.close();
  }

  /** Request and its answer. */
  private final class TokenExchange {
    private final String host;
    private HttpClientRequest request;

    TokenExchange(String host) {
      this.host = host;
    }

    Future<HttpClientResponse> send(HttpClientRequest begun, String form) {
      request = begun;
      ConnectionGuard.of(begun.connection()).call(() -> true);
      return begun.send(form);
    }

    /** Returns the rule of HTTP that the authority broke, if any. */
    Optional<String> violation() {
      return Optional.ofNullable(request)
          .flatMap(begun -> ConnectionGuard.of(begun.connection()).violation());
    }

    Future<Token> read(HttpClientResponse response) {
      Promise<Token> promise = Promise.promise();
      Buffer body = Buffer.buffer();
      response.exceptionHandler(promise::tryFail);
      response.handler(
          chunk -> {
            if (body.length() + chunk.length() > MAX_ANSWER) {
              promise.tryFail(failed(host, "its answer is too large"));
              request.reset();
            } else {
              body.appendBuffer(chunk);
            }
          });
      response.endHandler(
          end -> {
            try {
              promise.tryComplete(token(host, response.statusCode(), body));
            } catch (AuthenticationException e) {
              promise.tryFail(e);
            }
          });
      return promise.future();
    }

    void cancel() {
      if (request != null) {
        request.reset();
      }
    }
  }
}
