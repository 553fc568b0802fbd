package carillon.dispatch.servicebus;

import carillon.config.DispatchSettings;
import carillon.config.QueuesSettings;
import carillon.dispatch.egress.Egress;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.qpid.proton.message.Message;

/**
 * The connections of one event loop to brokers, one for each broker and key: made when needed,
 * bounded, closed when idle. Confined to the event loop that made it.
 */
public final class BusConnections {
  private static final Duration CONNECT = Duration.ofSeconds(10);

  private final BusConnection.Options options;
  private final QueuesSettings queues;

  private final Vertx vertx;
  private final long idleTimer;
  private final Map<BrokerAddress, Future<BusConnection>> connections = new HashMap<>();

  /** The calling event loop's connections. */
  public BusConnections(
      Vertx vertx,
      Egress egress,
      InstantSource clock,
      DispatchSettings dispatch,
      QueuesSettings queues) {
    this.vertx = vertx;
    this.queues = queues;
    Duration connect = dispatch.timeout().compareTo(CONNECT) < 0 ? dispatch.timeout() : CONNECT;
    this.options =
        new BusConnection.Options(
            vertx, egress, clock, dispatch.maxPerDestination(), dispatch.trustedCa(), connect);
    this.idleTimer =
        vertx.setPeriodic(Math.max(100, queues.busIdle().toMillis() / 4), id -> closeIdle());
  }

  /**
   * Sends a message. The future completes when the broker has accepted it, within the time-out. It
   * fails with {@link BrokerException} when the broker refuses, with {@link SendTimeoutException}
   * after the time-out, and with other exceptions when there is no connection.
   *
   * @param timeout for the message, all in all
   * @param check run right before the message is sent; when it throws nothing is sent, and the
   *     future fails with that
   */
  public Future<Void> send(
      BrokerAddress broker, String path, Message message, Duration timeout, Runnable check) {
    Promise<Void> outcome = Promise.promise();
    Future<BusConnection> connection = connection(broker);
    long deadline =
        vertx.setTimer(
            timeout.toMillis(),
            id -> {
              outcome.tryFail(new SendTimeoutException(timeout));
              connection.onSuccess(open -> open.doubt(path));
            });
    connection
        .onSuccess(
            open -> {
              if (!outcome.future().isComplete()) {
                open.send(path, message, check, outcome);
              }
            })
        .onFailure(outcome::tryFail);
    return outcome.future().onComplete(done -> vertx.cancelTimer(deadline));
  }

  private Future<BusConnection> connection(BrokerAddress broker) {
    Future<BusConnection> known = connections.get(broker);
    if (known != null && !(known.succeeded() && known.result().isRetired())) {
      return known;
    }
    if (known != null) {
      retire(broker, known.result());
    }
    if (connections.size() >= queues.busConnections() && !closeOneIdle()) {
      return Future.failedFuture(new SendTimeoutException(queues.busConnections()));
    }
    Future<BusConnection> opening = BusConnection.open(options, broker);
    connections.put(broker, opening);
    opening
        .onSuccess(open -> open.gone().onComplete(gone -> connections.remove(broker, opening)))
        .onFailure(failure -> connections.remove(broker, opening));
    return opening;
  }

  /** Retires a connection. Its pending messages may finish. */
  private void retire(BrokerAddress broker, BusConnection old) {
    connections.remove(broker);
    old.closeWhenIdle();
  }

  private boolean closeOneIdle() {
    Optional<BusConnection> idle =
        connections.values().stream()
            .filter(Future::succeeded)
            .map(Future::result)
            .filter(connection -> !connection.isBusy())
            .findFirst();
    idle.ifPresent(BusConnection::close);
    return idle.isPresent();
  }

  private void closeIdle() {
    for (Future<BusConnection> connection : List.copyOf(connections.values())) {
      if (connection.succeeded() && connection.result().isIdleFor(queues.busIdle())) {
        connection.result().close();
      }
    }
  }

  /** How many there are, also those being made. */
  public int size() {
    return connections.size();
  }

  /** Closes all. */
  public void close() {
    vertx.cancelTimer(idleTimer);
    List.copyOf(connections.values()).forEach(open -> open.onSuccess(BusConnection::close));
  }

  /** A message that was not accepted for lack of time or room. The message is fit for a history. */
  public static final class SendTimeoutException extends RuntimeException {
    /** The time is over. */
    SendTimeoutException(Duration timeout) {
      super("no acknowledgement within " + timeout.toMillis() + " ms", null, false, false);
    }

    /** Creates the exception for a pool with all connections in use. */
    SendTimeoutException(int connections) {
      super("all " + connections + " connections to brokers are in use", null, false, false);
    }
  }
}
