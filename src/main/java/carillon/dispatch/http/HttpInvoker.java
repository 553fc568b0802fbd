package carillon.dispatch.http;

import carillon.config.DispatchSettings;
import carillon.dispatch.call.ActionInvoker;
import carillon.dispatch.call.ActionInvoker.CallOptions;
import carillon.dispatch.call.ActionInvoker.NotBegunException;
import carillon.dispatch.call.AttemptResult;
import carillon.dispatch.call.DispatchObserver;
import carillon.dispatch.call.ExecutionHeaders;
import carillon.dispatch.call.FailureCause;
import carillon.dispatch.call.HistoryMessage;
import carillon.dispatch.call.RetryAdvice;
import carillon.dispatch.call.WebhookSigner;
import carillon.dispatch.egress.Egress;
import carillon.dispatch.egress.EgressException;
import carillon.job.action.HttpCall;
import carillon.job.action.HttpTarget;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry.CallDetail;
import carillon.job.attempt.HistoryEntry.CallError;
import carillon.job.attempt.HistoryEntry.CallError.ErrorKind;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;

/**
 * Invoker of HTTP and HTTPS calls. The deadline is for the whole attempt, from waiting for a
 * connection to the last byte, and no more of an answer is read than {@code dispatch.maxResponse}.
 * No redirects: a 3xx is an answer. Connections go to the first address of {@link Egress} that
 * answers, and are shared by calls to the same host and address. A call is sent once more, on a new
 * connection, if a kept connection ended before a byte of the answer came. Confined to the event
 * loop that made it.
 */
public final class HttpInvoker implements ActionInvoker<HttpCall> {
  private static final Future<WebhookSigner.Signatures> UNSIGNED =
      Future.succeededFuture(WebhookSigner.Signatures.NONE);

  /** Time without an answer after which the next address of the host is tried. */
  private static final Duration NEXT = Duration.ofSeconds(5);

  /** Methods whose content has a meaning: a call without content says so (RFC 9110, 8.6). */
  private static final Set<HttpMethod> WITH_CONTENT =
      Set.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH);

  /**
   * Failure of a switch of protocols. No call asks for another protocol, so the rest of the
   * connection is not read.
   */
  private static final String SWITCHED = "the target answered 101 and left HTTP, unasked";

  private final Vertx vertx;
  private final HttpClients clients;
  private final Authenticator authenticator;
  private final WebhookSigner signer;
  private final InstantSource clock;
  private final DispatchSettings settings;
  private final ExecutionHeaders headers;
  private final Egress egress;
  private final DispatchObserver observer;

  public HttpInvoker(
      Vertx vertx,
      InstantSource clock,
      DispatchSettings settings,
      ExecutionHeaders headers,
      Authenticator authenticator,
      WebhookSigner signer,
      Egress egress,
      DispatchObserver observer) {
    this.vertx = vertx;
    this.observer = observer;
    this.egress = egress;
    this.clock = clock;
    this.settings = settings;
    this.headers = headers;
    this.authenticator = authenticator;
    this.signer = signer;
    this.clients = new HttpClients(vertx, clock, settings);
  }

  @Override
  public Future<AttemptResult> invoke(
      Attempt attempt, String name, HttpCall call, CallOptions options, Runnable check) {
    return attempt(attempt, name, call, options, check, signer::signatures);
  }

  /**
   * Delivers a message to a queue by an HTTP call. The call is never signed: signatures are for
   * receivers that check them, and queues have their own authentication.
   */
  public Future<AttemptResult> deliver(
      Attempt attempt, String name, HttpCall call, CallOptions options, Runnable check) {
    return attempt(attempt, name, call, options, check, any -> UNSIGNED);
  }

  private Future<AttemptResult> attempt(
      Attempt attempt,
      String name,
      HttpCall call,
      CallOptions options,
      Runnable check,
      Function<Attempt, Future<WebhookSigner.Signatures>> signing) {
    HttpTarget target = HttpTarget.parse(call.uri());
    Exchange exchange = new Exchange(target, call, options, check, clock.instant());
    long deadline = vertx.setTimer(options.timeout().toMillis(), id -> exchange.timeOut());
    authenticator
        .credentials(attempt.collection(), call.authentication())
        .compose(
            credentials -> {
              exchange.credentials = credentials;
              return signing.apply(attempt);
            })
        .compose(
            signatures -> {
              RequestOptions request = request(attempt, name, call, target, exchange.credentials);
              signatures.addTo(
                  request.getHeaders(), attempt, clock.instant(), call.body().orElse(""));
              return send(target, request, exchange);
            })
        .onSuccess(exchange::receive)
        .onFailure(exchange::fail);
    return exchange.result.future().onComplete(done -> vertx.cancelTimer(deadline));
  }

  private Future<HttpClientResponse> send(
      HttpTarget target, RequestOptions request, Exchange exchange) {
    return egress
        .checkAll(target.host(), target.port())
        .compose(servers -> send(clients.to(target), request, servers.iterator(), exchange));
  }

  /**
   * Sends the request to the first address that takes the connection. Only the last address may use
   * all the remaining time. No other address is tried after a byte of the request was sent.
   */
  private Future<HttpClientResponse> send(
      HttpClient client,
      RequestOptions request,
      Iterator<SocketAddress> servers,
      Exchange exchange) {
    return connect(client, request, servers.next(), servers, exchange);
  }

  /** Sends the call again on a new connection. Closes kept connections that the pool hands out. */
  private Future<HttpClientResponse> repeat(
      HttpClient client,
      RequestOptions request,
      SocketAddress server,
      Iterator<SocketAddress> servers,
      Exchange exchange) {
    exchange.repeats = true;
    observer.repeated();
    return connect(client, request, server, servers, exchange);
  }

  private Future<HttpClientResponse> connect(
      HttpClient client,
      RequestOptions request,
      SocketAddress server,
      Iterator<SocketAddress> servers,
      Exchange exchange) {
    request.setServer(server).setConnectTimeout(exchange.patience(servers.hasNext()).toMillis());
    return client
        .request(request)
        .transform(
            (begun, failure) -> {
              if (failure == null
                  && exchange.repeats
                  && ConnectionGuard.of(begun.connection()).isReused()) {
                begun.exceptionHandler(ended -> {});
                ConnectionGuard.of(begun.connection()).close();
                return connect(client, request, server, servers, exchange);
              }
              if (failure == null) {
                return exchange
                    .send(begun, server)
                    .recover(
                        ended ->
                            exchange.isUnheard()
                                ? repeat(client, request, server, servers, exchange)
                                : Future.failedFuture(ended));
              }
              boolean another =
                  servers.hasNext()
                      && !exchange.repeats
                      && !exchange.isOver()
                      && FailureCause.isNoConnection(failure);
              return another
                  ? send(client, request, servers, exchange)
                  : Future.failedFuture(failure);
            });
  }

  private RequestOptions request(
      Attempt attempt, String name, HttpCall call, HttpTarget target, Credentials credentials) {
    MultiMap fields = MultiMap.caseInsensitiveMultiMap();
    headers.addTo(fields, attempt, name);
    call.headers().forEach(fields::set);
    credentials.header().ifPresent(header -> fields.set(header.getKey(), header.getValue()));
    HttpMethod method = HttpMethod.valueOf(call.method().toUpperCase(Locale.ROOT));
    if (call.body().isEmpty() && WITH_CONTENT.contains(method)) {
      fields.set(HttpHeaders.CONTENT_LENGTH, "0");
    }
    RequestOptions request = new RequestOptions();
    credentials.tls().ifPresent(request::setSslOptions);
    return request
        .setMethod(method)
        .setSsl(target.secure())
        .setHost(target.uriHost())
        .setPort(target.port())
        .setURI(credentials.addedTo(target.path()))
        .setHeaders(fields)
        .setFollowRedirects(false);
  }

  @Override
  public Future<Void> close() {
    return Future.join(clients.close(), authenticator.close()).mapEmpty();
  }

  /**
   * Request and its answer. It ends with the first of these: the last byte, the cap, a failure, or
   * the deadline.
   */
  private final class Exchange {
    private final Promise<AttemptResult> result = Promise.promise();
    private final HttpTarget target;
    private final HttpCall call;
    private final CallOptions options;
    private final Runnable check;
    private final Instant start;
    private Credentials credentials = Credentials.NONE;
    private ConnectionGuard connection;

    /** Whether the request was sent before, and is sent once more. */
    private boolean repeats;

    Exchange(HttpTarget target, HttpCall call, CallOptions options, Runnable check, Instant start) {
      this.target = target;
      this.call = call;
      this.options = options;
      this.check = check;
      this.start = start;
    }

    /** How long to wait for a connection. */
    Duration patience(boolean hasAnother) {
      if (!hasAnother) {
        return options.timeout();
      }
      Duration part = options.timeout().dividedBy(2);
      return part.compareTo(NEXT) < 0 ? part : NEXT;
    }

    Future<HttpClientResponse> send(HttpClientRequest begun, SocketAddress checked) {
      begun.exceptionHandler(failure -> {}); // comes as the failure of the answer too
      if (!isAt(checked, begun.connection().remoteAddress())) {
        begun.reset();
        return Future.failedFuture(new EgressException("connected to an address not asked for"));
      }
      if (isOver()) {
        begun.reset();
        return Future.failedFuture("the deadline passed while waiting for a connection");
      }
      if (!mayBeSent()) {
        begun.reset();
        return Future.failedFuture("it may no longer be sent");
      }
      connection = clients.begin(begun.connection(), this::mayBeSent);
      return call.body().isPresent() ? begun.send(call.body().get()) : begun.send();
    }

    /** Whether the claim is still valid; otherwise the exchange ends with that. */
    private boolean mayBeSent() {
      try {
        check.run();
        return true;
      } catch (RuntimeException e) {
        fail(e);
        return false;
      }
    }

    /**
     * Whether a kept connection ended before a byte of the answer, so that the call must be
     * repeated.
     */
    boolean isUnheard() {
      return !repeats && !isOver() && connection != null && connection.endedUnheard();
    }

    boolean isOver() {
      return result.future().isComplete();
    }

    /** Whether the connection is really at the checked address: enforces the policy once more. */
    private static boolean isAt(SocketAddress checked, SocketAddress connected) {
      return checked.port() == connected.port()
          && connected.hostAddress().equals(checked.hostAddress());
    }

    void receive(HttpClientResponse response) {
      response.exceptionHandler(this::fail);
      if (response.statusCode() == HttpResponseStatus.SWITCHING_PROTOCOLS.code()) {
        fail(SWITCHED, new CallError(ErrorKind.ANSWER, SWITCHED));
        hangUp();
        return;
      }
      Buffer body = Buffer.buffer();
      response.endHandler(end -> answer(response, body));
      response.handler(
          chunk -> {
            if (body.length() < settings.maxResponse()) {
              body.appendBuffer(
                  chunk.slice(0, Math.min(chunk.length(), settings.maxResponse() - body.length())));
            } else {
              answer(response, body);
              hangUp();
            }
          });
    }

    void answer(HttpClientResponse response, Buffer body) {
      int status = response.statusCode();
      if (status == 401) {
        credentials.refused().run();
      }
      end(
          options.successOn().contains(status),
          HistoryMessage.answered(
              target.host(), status, response.headers(), body, credentials.redactor(call)::redact),
          RetryAdvice.of(status, response.headers(), clock.instant()),
          new CallDetail(
              OptionalInt.of(status),
              HistoryMessage.lengthOf(body, response.headers(), settings.maxResponse()),
              Optional.empty()));
    }

    void fail(Throwable failure) {
      if (failure instanceof NotBegunException) {
        result.tryFail(failure);
      } else if (connection != null && connection.violation().isPresent()) {
        String cause = connection.violation().get();
        fail(cause, new CallError(ErrorKind.ANSWER, cause));
      } else {
        fail(FailureCause.of(failure), FailureCause.error(failure, authority()));
      }
    }

    private void fail(String cause, CallError error) {
      end(
          false,
          HistoryMessage.failed(target.host(), cause),
          RetryAdvice.NONE,
          CallDetail.of(error));
    }

    private String authority() {
      return target.authority();
    }

    void timeOut() {
      String cause = "no complete answer within " + options.timeout().toMillis() + " ms";
      fail(cause, new CallError(ErrorKind.TIMEOUT, cause + " from " + authority()));
      hangUp();
    }

    /** Closes the connection. A reset of the stream would let the target continue. */
    private void hangUp() {
      if (connection != null) {
        connection.close();
      }
    }

    private void end(boolean succeeded, String message, RetryAdvice advice, CallDetail detail) {
      if (!isOver() && connection != null) {
        clients.end(connection);
      }
      result.tryComplete(
          new AttemptResult(succeeded, start, clock.instant(), message, advice, detail));
    }
  }
}
