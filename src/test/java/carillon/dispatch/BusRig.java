package carillon.dispatch;

import carillon.config.DispatchSettings;
import carillon.config.QueuesSettings;
import carillon.dispatch.call.ActionInvoker.CallOptions;
import carillon.dispatch.call.AttemptResult;
import carillon.dispatch.http.Caller;
import carillon.dispatch.http.HttpInvoker;
import carillon.dispatch.http.PlainHttp;
import carillon.dispatch.servicebus.BusConnections;
import carillon.job.action.Secret;
import carillon.job.action.ServiceBusCall;
import carillon.job.action.ServiceBusCall.BrokeredProperties;
import carillon.job.action.ServiceBusCall.Entity;
import carillon.job.action.ServiceBusCall.SharedAccessKey;
import carillon.job.action.ServiceBusCall.Transport;
import carillon.job.action.StatusSet;
import carillon.job.attempt.Attempt;
import carillon.support.ArtemisBroker;
import carillon.support.Await;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Invoker for Service Bus on its own event loop, with a fixed address. */
final class BusRig implements AutoCloseable {
  static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  static final Attempt RUN =
      new Attempt("default/default/default/j", NOW, 1, Attempt.Phase.MAIN, 1, 5, 0);

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final HttpInvoker http;
  private final BusConnections connections;
  private final ServiceBusInvoker invoker;
  private final CallOptions options;

  BusRig(String address, Duration timeout, int window, int most, Duration idle) {
    this(address, timeout, window, most, idle, "", InstantSource.fixed(NOW));
  }

  BusRig(
      String address,
      Duration timeout,
      int window,
      int most,
      Duration idle,
      String trustedCa,
      InstantSource clock) {
    DispatchSettings dispatch =
        new DispatchSettings(
            10_000, window, timeout, Duration.ofHours(1), 2000, "local", 5, trustedCa, false);
    options = new CallOptions(timeout, StatusSet.SUCCESS);
    QueuesSettings queues =
        new QueuesSettings(
            List.of(), List.of("contoso=" + address), most, idle, true, 1, 1, 1 << 20);
    http = on(() -> Future.succeededFuture(PlainHttp.invoker(vertx, clock, dispatch)));
    connections =
        on(
            () ->
                Future.succeededFuture(
                    new BusConnections(
                        vertx,
                        (host, port) ->
                            Future.succeededFuture(
                                List.of(
                                    SocketAddress.inetSocketAddress(
                                        port, host.replace("localhost", "127.0.0.1")))),
                        clock,
                        dispatch,
                        queues)));
    invoker = new ServiceBusInvoker(http, connections, queues, clock);
  }

  private <T> T on(Supplier<Future<T>> step) {
    Promise<T> done = Promise.promise();
    loop.runOnContext(go -> step.get().onComplete(done));
    return Await.result(done.future());
  }

  static ServiceBusCall call(
      Entity entity,
      String path,
      String key,
      String message,
      BrokeredProperties brokered,
      Map<String, String> custom) {
    return new ServiceBusCall(
        entity,
        path,
        "contoso",
        Optional.empty(),
        new SharedAccessKey(ArtemisBroker.USER, new Secret(key)),
        message,
        brokered,
        custom);
  }

  static ServiceBusCall overHttp(ServiceBusCall call) {
    return new ServiceBusCall(
        call.entity(),
        call.path(),
        call.namespace(),
        Optional.of(Transport.NET_MESSAGING),
        call.key(),
        call.message(),
        call.brokered(),
        call.custom());
  }

  AttemptResult send(ServiceBusCall call) {
    return send(call, Caller.ANY_TIME);
  }

  AttemptResult send(ServiceBusCall call, Runnable check) {
    return on(() -> invoker.invoke(RUN, "Coll/J", call, options, check));
  }

  List<AttemptResult> sendAll(List<ServiceBusCall> calls) {
    return on(
        () ->
            Future.all(
                    calls.stream()
                        .map(call -> invoker.invoke(RUN, "Coll/J", call, options, Caller.ANY_TIME))
                        .toList())
                .map(all -> all.<AttemptResult>list()));
  }

  int connections() {
    return on(() -> Future.succeededFuture(connections.size()));
  }

  @Override
  public void close() {
    on(() -> invoker.close().compose(closed -> http.close()));
    Await.result(vertx.close());
  }
}
