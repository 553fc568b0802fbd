package carillon.dispatch;

import carillon.config.DispatchSettings;
import carillon.config.OAuthSettings;
import carillon.job.Authentication.ActiveDirectoryOAuth;
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
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Asks the authority for tokens: client credentials (RFC 6749, section 4.4) as Azure Active
 * Directory takes them, {@code POST <authority>/<tenant>/oauth2/token} with the audience as {@code
 * resource} (RFC 8707). The authority is the operator's choice and jobs cannot change it, so that
 * what jobs may reach does not bind it. Nothing of its answers but an error code is repeated.
 */
final class TokenEndpoint {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final int CONNECTIONS = 8;
  private static final int WAITING = 1000;
  private static final int LARGEST = 64 * 1024;
  private static final long LONGEST_SECONDS = Duration.ofDays(1).toSeconds();

  /** RFC 6749, section 5.2. */
  private static final Pattern ERROR = Pattern.compile("[a-z_]{1,40}");

  /** What fits into a header. */
  private static final Pattern TOKEN = Pattern.compile("[!-~]{1,16384}");

  private final HttpClient client;
  private final URI authority;
  private final Duration patience;

  TokenEndpoint(Vertx vertx, DispatchSettings dispatch, OAuthSettings settings) {
    this.authority = settings.authority();
    this.patience = dispatch.timeout().compareTo(PATIENCE) < 0 ? dispatch.timeout() : PATIENCE;
    HttpClientOptions options =
        new HttpClientOptions()
            .setSsl(authority.getScheme().equals("https"))
            .setConnectTimeout((int) patience.toMillis());
    HttpClients.trust(dispatch).ifPresent(options::setTrustOptions);
    PoolOptions pool = new PoolOptions().setHttp1MaxSize(CONNECTIONS).setMaxWaitQueueSize(WAITING);
    this.client = vertx.createHttpClient(options, pool);
  }

  /**
   * A token as it was given.
   *
   * @param lifetime zero where the authority says nothing of it
   */
  record Token(String text, Duration lifetime) {
    /** Tells nothing. */
    @Override
    public String toString() {
      return "Token";
    }
  }

  /** One request; fails with {@link AuthenticationFailure}. */
  Future<Token> request(ActiveDirectoryOAuth oauth) {
    Exchange exchange = new Exchange();
    return client
        .request(options(oauth.tenant()))
        .compose(request -> exchange.send(request, form(oauth)))
        .compose(exchange::read)
        .timeout(patience.toMillis(), TimeUnit.MILLISECONDS)
        .onFailure(failure -> exchange.cancel())
        .recover(failure -> Future.failedFuture(failed(failure)));
  }

  private RequestOptions options(String tenant) {
    int standard = authority.getScheme().equals("https") ? 443 : 80;
    String path = authority.getRawPath().replaceAll("/+$", "");
    return new RequestOptions()
        .setMethod(HttpMethod.POST)
        .setHost(authority.getHost())
        .setPort(authority.getPort() < 0 ? standard : authority.getPort())
        .setURI(path + "/" + tenant + "/oauth2/token")
        .setHeaders(
            MultiMap.caseInsensitiveMultiMap()
                .set("Content-Type", "application/x-www-form-urlencoded")
                .set("Accept", "application/json"));
  }

  private static String form(ActiveDirectoryOAuth oauth) {
    return "grant_type=client_credentials&client_id="
        + encoded(oauth.clientId())
        + "&client_secret="
        + encoded(oauth.secret().text())
        + "&resource="
        + encoded(oauth.audience());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private AuthenticationFailure failed(Throwable failure) {
    return failure instanceof AuthenticationFailure known
        ? known
        : failed(
            failure instanceof java.util.concurrent.TimeoutException
                ? "no answer within " + patience.toMillis() + " ms"
                : FailureCause.of(failure));
  }

  private AuthenticationFailure failed(String why) {
    return new AuthenticationFailure("no token from '" + authority.getHost() + "': " + why);
  }

  private Token token(int status, Buffer body) {
    JsonObject answer = json(status, body);
    if (status != 200) {
      String error = text(answer, "error");
      throw failed(
          "it answered " + status + (ERROR.matcher(error).matches() ? " (" + error + ")" : ""));
    }
    String type = text(answer, "token_type");
    String text = text(answer, "access_token");
    if (!type.equalsIgnoreCase("Bearer") || !TOKEN.matcher(text).matches()) {
      throw failed("its answer holds no bearer token");
    }
    return new Token(text, lifetime(answer.getValue("expires_in")));
  }

  private JsonObject json(int status, Buffer body) {
    try {
      return body.toJsonObject();
    } catch (DecodeException | ClassCastException e) {
      throw failed("it answered " + status + ", and not in JSON");
    }
  }

  private static String text(JsonObject answer, String name) {
    return answer.getValue(name) instanceof String text ? text : "";
  }

  /** Azure writes the number as a text. */
  private static Duration lifetime(Object seconds) {
    try {
      long number = (long) Double.parseDouble(String.valueOf(seconds));
      return Duration.ofSeconds(Math.max(0, Math.min(LONGEST_SECONDS, number)));
    } catch (NumberFormatException e) {
      return Duration.ZERO;
    }
  }

  Future<Void> close() {
    return client.close();
  }

  /** One request and its answer. */
  private final class Exchange {
    private HttpClientRequest request;

    Future<HttpClientResponse> send(HttpClientRequest begun, String form) {
      request = begun;
      return begun.send(form);
    }

    Future<Token> read(HttpClientResponse response) {
      Promise<Token> promise = Promise.promise();
      Buffer body = Buffer.buffer();
      response.exceptionHandler(promise::tryFail);
      response.handler(
          chunk -> {
            if (body.length() + chunk.length() > LARGEST) {
              promise.tryFail(failed("its answer is too large"));
              request.reset();
            } else {
              body.appendBuffer(chunk);
            }
          });
      response.endHandler(
          end -> {
            try {
              promise.tryComplete(token(response.statusCode(), body));
            } catch (AuthenticationFailure e) {
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
