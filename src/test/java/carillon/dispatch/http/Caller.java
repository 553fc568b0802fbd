package carillon.dispatch.http;

import carillon.config.DispatchSettings;
import carillon.config.Settings.OAuthSettings;
import carillon.dispatch.call.ActionInvoker.CallOptions;
import carillon.dispatch.call.AttemptResult;
import carillon.dispatch.call.DispatchObserver;
import carillon.dispatch.call.ExecutionHeaders;
import carillon.dispatch.call.WebhookSigner;
import carillon.dispatch.egress.Egress;
import carillon.job.action.Authentication;
import carillon.job.action.HttpCall;
import carillon.job.action.StatusSet;
import carillon.job.attempt.Attempt;
import carillon.support.Await;
import carillon.support.Keys256;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/** Makes calls with one invoker on its own event loop. */
public final class Caller {
  static final Attempt RUN =
      new Attempt(
          "default/default/default/j",
          Instant.parse("2026-11-20T12:00:00Z"),
          1,
          Attempt.Phase.MAIN,
          1,
          5,
          0);

  /** Check that allows a call at any time. */
  public static final Runnable ANY_TIME = () -> {};

  /** Options of an action without settings. */
  public static final CallOptions DEFAULT =
      new CallOptions(Duration.ofSeconds(25), StatusSet.SUCCESS);

  private static final int PER_DESTINATION = 10;

  final OAuthTokenCache tokens;
  private final io.vertx.core.Context loop;
  private final HttpInvoker invoker;
  private final CallOptions options;

  Caller(Vertx vertx, InstantSource clock, String trustedCa, URI authority) {
    this(vertx, clock, trustedCa, authority, Duration.ofSeconds(25));
  }

  Caller(Vertx vertx, InstantSource clock, String trustedCa, URI authority, Duration timeout) {
    loop = vertx.getOrCreateContext();
    DispatchSettings settings =
        new DispatchSettings(
            1000,
            PER_DESTINATION,
            timeout,
            Duration.ofHours(1),
            4000,
            "local",
            5,
            trustedCa,
            false);
    options = new CallOptions(timeout, StatusSet.SUCCESS);
    Egress egress = PlainHttp.loopback(vertx);
    tokens = new OAuthTokenCache(new OAuthTokenClient(vertx, settings, egress), clock);
    invoker =
        new HttpInvoker(
            vertx,
            clock,
            settings,
            new ExecutionHeaders("Carillon/test", "local", false, false),
            new Authenticator(clock, settings, new OAuthSettings(authority), tokens),
            new WebhookSigner(
                name -> Future.succeededFuture(Optional.empty()), Keys256.VAULT, clock),
            egress,
            DispatchObserver.NONE);
  }

  static HttpCall call(String uri, Authentication authentication) {
    return new HttpCall(
        false, uri, "POST", Map.of(), Optional.of("body"), Optional.ofNullable(authentication));
  }

  AttemptResult make(HttpCall call) {
    return make(call, 1).get(0);
  }

  /** Begins a call. Calls are made in the order in which they begin. */
  CompletionStage<AttemptResult> begin(HttpCall call) {
    io.vertx.core.Promise<AttemptResult> done = io.vertx.core.Promise.promise();
    loop.runOnContext(go -> invoker.invoke(RUN, "C/J", call, options, ANY_TIME).onComplete(done));
    return done.future().toCompletionStage();
  }

  /** Makes {@code times} concurrent calls. */
  List<AttemptResult> make(HttpCall call, int times) {
    io.vertx.core.Promise<List<AttemptResult>> done = io.vertx.core.Promise.promise();
    loop.runOnContext(
        go -> {
          List<Future<AttemptResult>> attempts =
              IntStream.range(0, times)
                  .mapToObj(i -> invoker.invoke(RUN, "C/J", call, options, ANY_TIME))
                  .toList();
          Future.all(attempts)
              .<List<AttemptResult>>map(all -> attempts.stream().map(Future::result).toList())
              .onComplete(done);
        });
    return Await.result(done.future());
  }
}
