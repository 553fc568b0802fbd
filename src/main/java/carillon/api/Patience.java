package carillon.api;

import io.vertx.core.http.HttpConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Closes connections that are too many, and those on which no request has begun for too long. The
 * server's own idle time-out is content with every piece of a body, so that one which comes byte by
 * byte would keep its connection for days; a request that is still being received counts from its
 * headers here. Confined to one event loop.
 */
final class Patience {
  private final Doors doors;
  private final long limitNanos;
  private final LongSupplier nanoClock;
  private final Map<HttpConnection, Since> connections = new HashMap<>();

  /** When the last request of a connection began, or the connection itself. */
  private static final class Since {
    private long nanos;
  }

  Patience(Duration limit, LongSupplier nanoClock, Doors doors) {
    this.doors = doors;
    this.limitNanos = limit.toNanos();
    this.nanoClock = nanoClock;
  }

  void opened(HttpConnection connection) {
    String address = connection.remoteAddress().hostAddress();
    if (!doors.enter(address)) {
      connection.close();
      return;
    }
    Since since = new Since();
    since.nanos = nanoClock.getAsLong();
    connections.put(connection, since);
    connection.closeHandler(
        closed -> {
          connections.remove(connection);
          doors.leave(address);
        });
  }

  /** A request has begun. */
  void renew(HttpConnection connection) {
    Since since = connections.get(connection);
    if (since != null) {
      since.nanos = nanoClock.getAsLong();
    }
  }

  /** Closes what has been waited for too long; to be called now and then. */
  void enforce() {
    long now = nanoClock.getAsLong();
    List<HttpConnection> late = new ArrayList<>();
    connections.forEach(
        (connection, since) -> {
          if (now - since.nanos > limitNanos) {
            late.add(connection);
          }
        });
    late.forEach(HttpConnection::close);
  }
}
