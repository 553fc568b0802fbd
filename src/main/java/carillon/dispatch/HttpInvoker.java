package carillon.dispatch;

import carillon.config.Settings;
import carillon.egress.Egress;
import carillon.egress.EgressRefusal;
import carillon.job.HttpCall;
import carillon.job.HttpTarget;
import carillon.job.Run;
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
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;

/**
 * Makes HTTP and HTTPS calls. The deadline is for the whole attempt, from waiting for a connection
 * to the last byte, and no more of an answer is read than {@code dispatch.maxResponse}. No
 * redirects: a 3xx is an answer. Connections are made to the address that {@link Egress} gave and
 * shared by calls to the same host and address. Confined to the event loop that made it.
 */
final class HttpInvoker implements Invoker<HttpCall> {
  private static final Duration CONNECT = Duration.ofSeconds(10);

  private final Vertx vertx;
  private final HttpClient client;
  private final InstantSource clock;
  private final Settings.Dispatch settings;
  private final ExecutionHeaders headers;
  private final Egress egress;

  HttpInvoker(
      Vertx vertx,
      InstantSource clock,
      Settings.Dispatch settings,
      ExecutionHeaders headers,
      Egress egress) {
    this.vertx = vertx;
    this.egress = egress;
    this.clock = clock;
    this.settings = settings;
    this.headers = headers;
    HttpClientOptions options =
        new HttpClientOptions()
            .setConnectTimeout((int) Math.min(CONNECT.toMillis(), settings.timeout().toMillis()))
            .setDecompressionSupported(false)
            .setTcpNoDelay(true);
    if (!settings.trustedCa().isEmpty()) {
      options.setTrustOptions(new PemTrustOptions().addCertPath(settings.trustedCa()));
    }
    PoolOptions pool =
        new PoolOptions()
            .setHttp1MaxSize(settings.maxPerDestination())
            .setMaxWaitQueueSize(settings.maxInFlight());
    this.client = vertx.createHttpClient(options, pool);
  }

  @Override
  public Future<AttemptResult> invoke(Run run, String name, HttpCall call) {
    HttpTarget target = HttpTarget.parse(call.uri());
    Exchange exchange = new Exchange(target.host(), clock.instant());
    long deadline = vertx.setTimer(settings.timeout().toMillis(), id -> exchange.timeOut());
    egress
        .check(target.host(), target.port())
        .compose(
            server ->
                client
                    .request(options(run, name, call, target).setServer(server))
                    .compose(request -> exchange.send(request, server, call)))
        .onSuccess(exchange::receive)
        .onFailure(failure -> exchange.fail(FailureCause.of(failure)));
    return exchange.result.future().onComplete(done -> vertx.cancelTimer(deadline));
  }

  private RequestOptions options(Run run, String name, HttpCall call, HttpTarget target) {
    MultiMap fields = MultiMap.caseInsensitiveMultiMap();
    headers.addTo(fields, run, name);
    call.headers().forEach(fields::set);
    return new RequestOptions()
        .setMethod(HttpMethod.valueOf(call.method().toUpperCase(Locale.ROOT)))
        .setSsl(target.secure())
        .setHost(target.host())
        .setPort(target.port())
        .setURI(target.path())
        .setHeaders(fields)
        .setConnectTimeout(settings.timeout().toMillis())
        .setFollowRedirects(false);
  }

  @Override
  public Future<Void> close() {
    return client.close();
  }

  /**
   * One request and its answer, ended by whichever comes first: the last byte, the cap, a failure,
   * or the deadline.
   */
  private final class Exchange {
    private final Promise<AttemptResult> result = Promise.promise();
    private final String host;
    private final Instant start;
    private HttpClientRequest request;

    Exchange(String host, Instant start) {
      this.host = host;
      this.start = start;
    }

    Future<HttpClientResponse> send(HttpClientRequest begun, SocketAddress checked, HttpCall call) {
      request = begun;
      if (!isAt(checked, begun.connection().remoteAddress())) {
        begun.reset();
        return Future.failedFuture(new EgressRefusal("connected to an address not asked for"));
      }
      if (result.future().isComplete()) {
        begun.reset();
        return Future.failedFuture("the deadline passed while waiting for a connection");
      }
      return call.body().isPresent() ? begun.send(call.body().get()) : begun.send();
    }

    /** Where the policy is enforced once more, on what the connection itself says. */
    private static boolean isAt(SocketAddress checked, SocketAddress connected) {
      return checked.port() == connected.port()
          && connected.hostAddress().equals(checked.hostAddress());
    }

    void receive(HttpClientResponse response) {
      Buffer body = Buffer.buffer();
      response.exceptionHandler(failure -> fail(FailureCause.of(failure)));
      response.endHandler(end -> answer(response, body));
      response.handler(
          chunk -> {
            if (body.length() < settings.maxResponse()) {
              body.appendBuffer(
                  chunk.slice(0, Math.min(chunk.length(), settings.maxResponse() - body.length())));
            } else {
              answer(response, body);
              request.reset();
            }
          });
    }

    void answer(HttpClientResponse response, Buffer body) {
      int status = response.statusCode();
      end(status / 100 == 2, HttpMessage.answered(host, status, response.headers(), body));
    }

    void fail(String cause) {
      end(false, HttpMessage.failed(host, cause));
    }

    void timeOut() {
      fail("no complete answer within " + settings.timeout().toMillis() + " ms");
      if (request != null) {
        request.reset();
      }
    }

    private void end(boolean succeeded, String message) {
      result.tryComplete(new AttemptResult(succeeded, start, clock.instant(), message));
    }
  }
}
