package carillon.dispatch;

import carillon.config.QueuesSettings;
import carillon.dispatch.call.ActionInvoker;
import carillon.dispatch.call.ActionInvoker.CallOptions;
import carillon.dispatch.call.ActionInvoker.NotBegunException;
import carillon.dispatch.call.AttemptResult;
import carillon.dispatch.call.FailureCause;
import carillon.dispatch.http.HttpInvoker;
import carillon.dispatch.servicebus.AmqpMessage;
import carillon.dispatch.servicebus.BrokerAddress;
import carillon.dispatch.servicebus.BrokerException;
import carillon.dispatch.servicebus.BusConnections;
import carillon.dispatch.servicebus.RestMessage;
import carillon.dispatch.servicebus.SharedAccessToken;
import carillon.job.action.HttpCall;
import carillon.job.action.ServiceBusCall;
import carillon.job.action.ServiceBusCall.Entity;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry.CallError;
import carillon.job.attempt.HistoryEntry.CallError.ErrorKind;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.security.sasl.SaslException;

/**
 * Invoker of messages to queues and topics of Service Bus: over AMQP 1.0, or as HTTPS requests of
 * the HTTP invoker. Every attempt of an execution sends the same message id, so that a queue with
 * duplicate detection takes one.
 */
final class ServiceBusInvoker implements ActionInvoker<ServiceBusCall> {
  private static final Set<String> AMQP = Set.of("amqp", "amqps");
  private static final Set<String> REST = Set.of("http", "https");

  /** Lifetime of a token. Longer than any attempt plus any difference between clocks. */
  private static final Duration TOKEN_LIFE = Duration.ofHours(2);

  private final HttpInvoker http;
  private final BusConnections connections;
  private final QueuesSettings settings;
  private final InstantSource clock;

  ServiceBusInvoker(
      HttpInvoker http, BusConnections connections, QueuesSettings settings, InstantSource clock) {
    this.http = http;
    this.connections = connections;
    this.settings = settings;
    this.clock = clock;
  }

  @Override
  public Future<AttemptResult> invoke(
      Attempt attempt, String name, ServiceBusCall call, CallOptions options, Runnable check) {
    return call.isRest()
        ? http.deliver(attempt, name, request(attempt, call), options, check)
            .map(result -> result.of(action(call)))
        : send(attempt, call, options, check);
  }

  private static String action(ServiceBusCall call) {
    return call.entity() == Entity.QUEUE ? "Service Bus Queue Action" : "Service Bus Topic Action";
  }

  private HttpCall request(Attempt attempt, ServiceBusCall call) {
    String entity =
        settings
                .serviceBus(call.namespace(), REST)
                .map(address -> address.toString().replaceFirst("/+$", ""))
                .orElse("https://" + call.namespace() + ".servicebus.windows.net")
            + "/"
            + call.path();
    Map<String, String> headers =
        new LinkedHashMap<>(RestMessage.headers(call, attempt.deliveryId()));
    headers.put(
        "Authorization",
        SharedAccessToken.sign(entity, call.key(), clock.instant().plus(TOKEN_LIFE)));
    return new HttpCall(true, entity + "/messages", "POST", headers, Optional.of(call.message()));
  }

  private Future<AttemptResult> send(
      Attempt attempt, ServiceBusCall call, CallOptions options, Runnable check) {
    Instant start = clock.instant();
    BrokerAddress broker =
        settings
            .serviceBus(call.namespace(), AMQP)
            .map(address -> BrokerAddress.at(address, call.key()))
            .orElseGet(() -> BrokerAddress.azure(call.namespace(), call.key()));
    return connections
        .send(
            broker,
            call.path(),
            AmqpMessage.of(call, attempt.deliveryId(), start),
            options.timeout(),
            check)
        .map(accepted -> result(true, start, call, broker, "Response from", "': 'Accepted'"))
        .recover(
            failure ->
                failure instanceof NotBegunException
                    ? Future.failedFuture(failure)
                    : Future.succeededFuture(failed(failure, start, call, broker)));
  }

  private AttemptResult failed(
      Throwable failure, Instant start, ServiceBusCall call, BrokerAddress broker) {
    return failure instanceof BrokerException
        ? result(false, start, call, broker, "Response from", "': " + failure.getMessage())
        : result(false, start, call, broker, "Request to", "' failed: " + cause(failure))
            .with(error(failure, broker.authority()));
  }

  private static CallError error(Throwable failure, String target) {
    if (failure instanceof BusConnections.SendTimeoutException) {
      return new CallError(ErrorKind.TIMEOUT, failure.getMessage());
    }
    return failure instanceof SaslException
        ? new CallError(ErrorKind.AUTHENTICATION, "the broker does not know the key")
        : FailureCause.error(failure, target);
  }

  private static String cause(Throwable failure) {
    if (failure instanceof BusConnections.SendTimeoutException) {
      return failure.getMessage();
    }
    return failure instanceof SaslException
        ? "the broker does not know the key"
        : FailureCause.of(failure);
  }

  private AttemptResult result(
      boolean succeeded,
      Instant start,
      ServiceBusCall call,
      BrokerAddress broker,
      String direction,
      String outcome) {
    String message = action(call) + " - " + direction + " host '" + broker.host() + outcome;
    return new AttemptResult(succeeded, start, clock.instant(), message);
  }

  @Override
  public Future<Void> close() {
    connections.close();
    return Future.succeededFuture();
  }
}
