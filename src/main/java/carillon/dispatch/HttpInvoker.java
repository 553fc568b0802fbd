package carillon.dispatch;

import carillon.config.DispatchSettings;
import carillon.dispatch.ActionInvoker.CallOptions;
import carillon.dispatch.ActionInvoker.NotBegunException;
import carillon.dispatch.egress.Egress;
import carillon.dispatch.egress.EgressException;
import carillon.job.Attempt;
import carillon.job.Destination;
import carillon.job.HistoryEntry.CallDetail;
import carillon.job.HistoryEntry.CallError;
import carillon.job.HistoryEntry.CallError.ErrorKind;
import carillon.job.HttpCall;
import carillon.job.HttpTarget;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
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
import java.util.function.Function;

/**
 * Invoker of HTTP and HTTPS calls. The deadline is for the whole attempt, from waiting for a
 * connection to the last byte, and no more of an answer is read than {@code dispatch.maxResponse}.
 * No redirects: a 3xx is an answer. Connections are made to an address that {@link Egress} gave and
 * shared by calls to the same host and address; when nothing answers there, to the next that it
 * gave. Confined to the event loop that made it.
 */
final class HttpInvoker implements ActionInvoker<HttpCall> {
  private static final Future<WebhookSigner.Signatures> UNSIGNED =
      Future.succeededFuture(WebhookSigner.Signatures.NONE);

  /** How long an address may be silent before another of the same host is tried. */
  private static final Duration NEXT = Duration.ofSeconds(5);

  /** Of "100 Continue" and the like, before an answer. */
  private static final int MAX_INTERIM = 100;

  private final Vertx vertx;
  private final HttpClients clients;
  private final Authenticator authenticator;
  private final WebhookSigner signer;
  private final InstantSource clock;
  private final DispatchSettings settings;
  private final ExecutionHeaders headers;
  private final Egress egress;

  HttpInvoker(
      Vertx vertx,
      InstantSource clock,
      DispatchSettings settings,
      ExecutionHeaders headers,
      Authenticator authenticator,
      WebhookSigner signer,
      Egress egress) {
    this.vertx = vertx;
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
   * Makes a call that is a message for a queue: never signed, because a signature is for receivers
   * who check it, and queues authenticate in their own ways.
   */
  Future<AttemptResult> deliver(
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
   * To the first address that takes the connection. Only the last has all the time there is; and
   * none is tried after a byte of the request was sent.
   */
  private Future<HttpClientResponse> send(
      HttpClient client,
      RequestOptions request,
      Iterator<SocketAddress> servers,
      Exchange exchange) {
    SocketAddress server = servers.next();
    request.setServer(server).setConnectTimeout(exchange.patience(servers.hasNext()).toMillis());
    return client
        .request(request)
        .transform(
            (begun, failure) -> {
              if (failure == null) {
                return exchange.send(begun, server);
              }
              boolean another =
                  servers.hasNext() && !exchange.isOver() && FailureCause.isNoConnection(failure);
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
    RequestOptions request = new RequestOptions();
    credentials.tls().ifPresent(request::setSslOptions);
    return request
        .setMethod(HttpMethod.valueOf(call.method().toUpperCase(Locale.ROOT)))
        .setSsl(target.secure())
        .setHost(target.host())
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
   * One request and its answer, ended by whichever comes first: the last byte, the cap, a failure,
   * or the deadline.
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
    private int interim;

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
      begun.continueHandler(interim -> interim()).earlyHintsHandler(hints -> interim());
      return call.body().isPresent() ? begun.send(call.body().get()) : begun.send();
    }

    /** Whether the claim still holds; where it does not, that is how this ends. */
    private boolean mayBeSent() {
      try {
        check.run();
        return true;
      } catch (RuntimeException e) {
        fail(e);
        return false;
      }
    }

    private void interim() {
      if (++interim > MAX_INTERIM) {
        connection.flood();
      }
    }

    boolean isOver() {
      return result.future().isComplete();
    }

    /** Where the policy is enforced once more, on what the connection itself says. */
    private static boolean isAt(SocketAddress checked, SocketAddress connected) {
      return checked.port() == connected.port()
          && connected.hostAddress().equals(checked.hostAddress());
    }

    void receive(HttpClientResponse response) {
      Buffer body = Buffer.buffer();
      response.exceptionHandler(this::fail);
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
      } else if (connection != null && connection.flooded()) {
        String cause = "the target sent more than an answer needs";
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
      return new Destination(target.host(), target.port()).authority();
    }

    void timeOut() {
      String cause = "no complete answer within " + options.timeout().toMillis() + " ms";
      fail(cause, new CallError(ErrorKind.TIMEOUT, cause + " from " + authority()));
      hangUp();
    }

    /** To reset the stream would leave the target free to go on. */
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
