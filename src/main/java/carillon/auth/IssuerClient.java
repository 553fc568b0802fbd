package carillon.auth;

import carillon.config.AccessSettings.TokensSettings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * HTTP client for the token issuer. It follows no redirect, reads answers up to a bound of bytes
 * and time, and finds the issuer's addresses in its discovery document alone. Confined to one event
 * loop.
 */
final class IssuerClient {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int MAX_ANSWER = 256 * 1024;
  private static final String DISCOVERY = "/.well-known/openid-configuration";

  private final String issuer;
  private final HttpClient http;

  IssuerClient(Vertx vertx, TokensSettings settings) {
    this(vertx, settings, PoolOptions.DEFAULT_MAX_POOL_SIZE);
  }

  /** Creates a client with this number of connections to each address. */
  IssuerClient(Vertx vertx, TokensSettings settings, int connections) {
    this.issuer = settings.issuer().toString();
    // Bytes left behind an answer must not become the beginning of the next.
    HttpClientOptions options = new HttpClientOptions().setConnectTimeout(5000).setKeepAlive(false);
    if (!settings.trustedCa().isEmpty()) {
      options.setTrustOptions(new PemTrustOptions().addCertPath(settings.trustedCa()));
    }
    this.http = vertx.createHttpClient(options, new PoolOptions().setHttp1MaxSize(connections));
  }

  /** Answer of the issuer, read whole. */
  record IssuerAnswer(int status, String text) {}

  /** Fetches the discovery document. */
  Future<IssuerMetadata> discover() {
    String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
    return fetch(URI.create(base + DISCOVERY)).map(text -> IssuerMetadata.parse(text, issuer));
  }

  /** Gets the content of an address. Fails when the status is not 200. */
  Future<String> fetch(URI uri) {
    return get(uri, Map.of())
        .map(
            answer -> {
              if (answer.status() != 200) {
                throw new IllegalStateException("it answered " + answer.status());
              }
              return answer.text();
            });
  }

  /** Gets the content of an address, with these headers. */
  Future<IssuerAnswer> get(URI uri, Map<String, String> headers) {
    return send(HttpMethod.GET, uri, headers, HttpClientRequest::send);
  }

  /** Posts a form, {@code application/x-www-form-urlencoded}, with these headers. */
  Future<IssuerAnswer> post(URI uri, Map<String, String> headers, String form) {
    return send(
        HttpMethod.POST,
        uri,
        headers,
        request ->
            request
                .putHeader("Content-Type", "application/x-www-form-urlencoded")
                .send(Buffer.buffer(form)));
  }

  private Future<IssuerAnswer> send(
      HttpMethod method,
      URI uri,
      Map<String, String> headers,
      Function<HttpClientRequest, Future<HttpClientResponse>> sending) {
    RequestOptions options =
        new RequestOptions()
            .setMethod(method)
            .setAbsoluteURI(uri.toString())
            .setTimeout(TIMEOUT.toMillis());
    headers.forEach(options::addHeader);
    return http.request(options)
        .compose(request -> sending.apply(request).compose(IssuerClient::read))
        .timeout(2 * TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static Future<IssuerAnswer> read(HttpClientResponse response) {
    String length = response.getHeader("Content-Length");
    boolean isLarge =
        length != null && (length.length() > 6 || Integer.parseInt(length) > MAX_ANSWER);
    // The future of the body reports a cut connection.
    response.exceptionHandler(cut -> {});
    if (isLarge) {
      response.request().reset();
      return Future.failedFuture("it answered " + response.statusCode() + " with too much");
    }
    Buffer all = Buffer.buffer();
    response.handler(
        part -> {
          all.appendBuffer(part);
          if (all.length() > MAX_ANSWER) {
            response.request().reset();
          }
        });
    return response.end().map(done -> new IssuerAnswer(response.statusCode(), all.toString()));
  }
}
