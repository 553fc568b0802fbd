package carillon.api.edge;

import carillon.api.http.ApiResponse;
import carillon.api.http.HttpException;
import carillon.auth.ClientNetwork;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Time-outs and limits of connections: closes surplus and idle ones. On each, requests begin one by
 * one ({@link PipelineLimit}). An idle time-out of the server would restart with every piece of a
 * body. Here a request counts from its headers, and the first request of a connection has less
 * time. Confined to one event loop.
 *
 * <p>A request under way is answered before its connection is closed: 408 if it has not come whole,
 * 503 if its answer is not ready. Each answer announces the idle time-out ({@code Keep-Alive}). A
 * connection is closed a period later, if nothing has arrived by then. Delays of the event loop do
 * not count against clients.
 */
public final class ConnectionTimeouts {
  private static final Duration FIRST_REQUEST = Duration.ofSeconds(10);

  private final AdmissionLimits admission;
  private final Duration limit;
  private final CharSequence announcement;
  private final LongSupplier nanoClock;
  private final Map<HttpConnection, TimedConnection> connections = new HashMap<>();
  private long enforced; // when this was last done
  private long lateNanos; // the delays of the event loop, in all

  private final class TimedConnection {
    private PipelineLimit pipelining; // once watched
    private long since; // when the last request began, or the connection itself
    private long limitNanos;
    private boolean isLate; // since the period before
    private boolean isArriving; // the next request, since the last answer
    private HttpServerRequest last; // null before the first request

    TimedConnection() {
      restart(first());
    }

    void restart(Duration limit) {
      since = now();
      limitNanos = limit.toNanos();
      isLate = false;
    }

    /** The first bytes after an answer restart the time-out. */
    void arriving() {
      if (last != null && isAnswered() && !isArriving) {
        isArriving = true;
        restart(limit);
      }
    }

    boolean isAnswered() {
      return last == null || last.response().ended() || last.response().headWritten();
    }
  }

  public ConnectionTimeouts(Duration limit, LongSupplier nanoClock, AdmissionLimits admission) {
    this.admission = admission;
    this.limit = limit;
    this.announcement = HttpHeaders.createOptimized("timeout=" + limit.toSeconds());
    this.nanoClock = nanoClock;
    this.enforced = nanoClock.getAsLong();
  }

  /** How long the first request of a connection may take. */
  private Duration first() {
    return limit.compareTo(FIRST_REQUEST) < 0 ? limit : FIRST_REQUEST;
  }

  /** Returns the period in which {@link #enforce} must be called. */
  public Duration period() {
    return first().dividedBy(4);
  }

  /** Time without the delays of the event loop. */
  private long now() {
    return nanoClock.getAsLong() - lateNanos;
  }

  public void opened(HttpConnection connection) {
    String address = ClientNetwork.of(connection.remoteAddress().hostAddress());
    if (!admission.enter(address)) {
      refuse(connection);
      return;
    }
    TimedConnection timed = new TimedConnection();
    timed.pipelining = PipelineLimit.on(connection, admission.pipelining(), timed::arriving);
    connections.put(connection, timed);
    connection.closeHandler(
        closed -> {
          connections.remove(connection);
          timed.pipelining.closed();
          admission.leave(address);
        });
  }

  /** Answers the first request of a surplus connection, unless too many of those are open. */
  private void refuse(HttpConnection connection) {
    if (admission.beginRefusal()) {
      PipelineLimit.refuse(connection, admission::endRefusal);
    } else {
      connection.close();
    }
  }

  /** Notes that a request has begun, and announces how long its connection may then be idle. */
  public void begun(HttpServerRequest request) {
    renew(request.connection());
    TimedConnection timed = connections.get(request.connection());
    if (timed != null) {
      timed.last = request;
      timed.isArriving = false;
      timed.pipelining.begun();
    }
    if (request.version() == HttpVersion.HTTP_1_1) {
      request
          .response()
          .putHeader(HttpHeaders.CONNECTION, HttpHeaders.KEEP_ALIVE)
          .putHeader(ApiResponse.KEEP_ALIVE, announcement);
    }
  }

  /** Restarts the time-out of a connection with an event stream. */
  public void renew(HttpConnection connection) {
    TimedConnection timed = connections.get(connection);
    if (timed != null) {
      timed.restart(limit);
    }
  }

  /** Ends connections whose time was over when this was last called. */
  public void enforce() {
    long real = nanoClock.getAsLong();
    long late = real - enforced - period().toNanos();
    lateNanos += Math.max(0, late);
    enforced = real;
    long now = now();
    for (TimedConnection timed : List.copyOf(connections.values())) {
      if (now - timed.since > timed.limitNanos) {
        end(timed);
      }
    }
  }

  private void end(TimedConnection timed) {
    if (!timed.isAnswered()) {
      timed.restart(first()); // for the answer
      refusal(timed.last).answer(timed.last).send(timed.last);
    } else if (timed.isLate) {
      timed.pipelining.end(late());
    } else {
      timed.isLate = true;
    }
  }

  private HttpException refusal(HttpServerRequest request) {
    return request.isEnded()
        ? HttpException.unanswered(
            "There was no answer within " + seconds() + " s; the request may take effect.")
        : late();
  }

  private HttpException late() {
    return HttpException.late("The request did not arrive whole within " + seconds() + " s.");
  }

  private String seconds() {
    return Long.toString(limit.toSeconds());
  }

  /** Answers all requests under way, as the server is about to close their connections. */
  public void refuseAll() {
    for (TimedConnection timed : List.copyOf(connections.values())) {
      if (!timed.isAnswered()) {
        HttpException.unanswered("This node stops; the request may take effect.")
            .answer(timed.last)
            .send(timed.last);
      }
    }
  }
}
