package carillon.api;

import carillon.login.ClientNetwork;
import io.vertx.core.http.HttpConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Closes connections that are too many, those on which no request has begun for too long, and those
 * on which too many wait ({@link Pipelining}). The server's own idle time-out is content with every
 * piece of a body, so that one which comes byte by byte would keep its connection for days; a
 * request that is still being received counts from its headers here. Whoever has not sent one yet
 * is waited for less long. Confined to one event loop.
 */
final class Patience {
  private static final Duration FIRST_REQUEST = Duration.ofSeconds(10);

  private final Doors doors;
  private final long limitNanos;
  private final LongSupplier nanoClock;
  private final Map<HttpConnection, Held> connections = new HashMap<>();

  private static final class Held {
    private final Pipelining pipelining;
    private long since; // when the last request began, or the connection itself
    private long limit;

    Held(Pipelining pipelining, long since, long limit) {
      this.pipelining = pipelining;
      this.since = since;
      this.limit = limit;
    }
  }

  Patience(Duration limit, LongSupplier nanoClock, Doors doors) {
    this.doors = doors;
    this.limitNanos = limit.toNanos();
    this.nanoClock = nanoClock;
  }

  /** How long the first request of a connection may take. */
  private Duration first() {
    Duration limit = Duration.ofNanos(limitNanos);
    return limit.compareTo(FIRST_REQUEST) < 0 ? limit : FIRST_REQUEST;
  }

  /** How often {@link #enforce} is to be called. */
  Duration period() {
    return first().dividedBy(4);
  }

  void opened(HttpConnection connection) {
    String address = ClientNetwork.of(connection.remoteAddress().hostAddress());
    if (!doors.enter(address)) {
      connection.close();
      return;
    }
    Pipelining pipelining = Pipelining.on(connection, doors.pipelining());
    connections.put(connection, new Held(pipelining, nanoClock.getAsLong(), first().toNanos()));
    connection.closeHandler(
        closed -> {
          connections.remove(connection);
          pipelining.closed();
          doors.leave(address);
        });
  }

  /** A request has begun. */
  void begun(HttpConnection connection) {
    renew(connection);
    Held held = connections.get(connection);
    if (held != null) {
      held.pipelining.begun();
    }
  }

  /** Something goes on that is no request. */
  void renew(HttpConnection connection) {
    Held held = connections.get(connection);
    if (held != null) {
      held.since = nanoClock.getAsLong();
      held.limit = limitNanos;
    }
  }

  /** Closes what has been waited for too long. */
  void enforce() {
    long now = nanoClock.getAsLong();
    List<HttpConnection> late = new ArrayList<>();
    connections.forEach(
        (connection, held) -> {
          if (now - held.since > held.limit) {
            late.add(connection);
          }
        });
    late.forEach(HttpConnection::close);
  }
}
