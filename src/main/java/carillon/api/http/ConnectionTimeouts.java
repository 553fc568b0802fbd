package carillon.api.http;

import carillon.auth.ClientNetwork;
import io.vertx.core.http.HttpConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Time-outs and limits of connections: closes those that are too many, and those on which no
 * request has begun for too long; on each, requests begin one by one ({@link PipelineLimit}). The
 * server's own idle time-out restarts with every piece of a body, so that one sent byte by byte
 * would keep its connection for days; here a request counts from its headers. The first request of
 * a connection has less time. Confined to one event loop.
 */
public final class ConnectionTimeouts {
  private static final Duration FIRST_REQUEST = Duration.ofSeconds(10);

  private final AdmissionLimits admission;
  private final long limitNanos;
  private final LongSupplier nanoClock;
  private final Map<HttpConnection, TimedConnection> connections = new HashMap<>();

  private static final class TimedConnection {
    private final PipelineLimit pipelining;
    private long since; // when the last request began, or the connection itself
    private long limit;

    TimedConnection(PipelineLimit pipelining, long since, long limit) {
      this.pipelining = pipelining;
      this.since = since;
      this.limit = limit;
    }
  }

  public ConnectionTimeouts(Duration limit, LongSupplier nanoClock, AdmissionLimits admission) {
    this.admission = admission;
    this.limitNanos = limit.toNanos();
    this.nanoClock = nanoClock;
  }

  /** How long the first request of a connection may take. */
  private Duration first() {
    Duration limit = Duration.ofNanos(limitNanos);
    return limit.compareTo(FIRST_REQUEST) < 0 ? limit : FIRST_REQUEST;
  }

  /** How often {@link #enforce} is to be called. */
  public Duration period() {
    return first().dividedBy(4);
  }

  public void opened(HttpConnection connection) {
    String address = ClientNetwork.of(connection.remoteAddress().hostAddress());
    if (!admission.enter(address)) {
      connection.close();
      return;
    }
    PipelineLimit pipelining = PipelineLimit.on(connection, admission.pipelining());
    connections.put(
        connection, new TimedConnection(pipelining, nanoClock.getAsLong(), first().toNanos()));
    connection.closeHandler(
        closed -> {
          connections.remove(connection);
          pipelining.closed();
          admission.leave(address);
        });
  }

  /** Notes that a request has begun. */
  public void begun(HttpConnection connection) {
    renew(connection);
    TimedConnection timed = connections.get(connection);
    if (timed != null) {
      timed.pipelining.begun();
    }
  }

  /** Restarts the time-out of a connection with an event stream. */
  public void renew(HttpConnection connection) {
    TimedConnection timed = connections.get(connection);
    if (timed != null) {
      timed.since = nanoClock.getAsLong();
      timed.limit = limitNanos;
    }
  }

  /** Closes connections whose time is over. */
  public void enforce() {
    long now = nanoClock.getAsLong();
    List<HttpConnection> late = new ArrayList<>();
    connections.forEach(
        (connection, timed) -> {
          if (now - timed.since > timed.limit) {
            late.add(connection);
          }
        });
    late.forEach(HttpConnection::close);
  }
}
