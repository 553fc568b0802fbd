package carillon.api.edge;

import carillon.api.http.HttpException;
import carillon.api.http.RequestRateLimiter;
import carillon.bounded.HeapBudget;
import carillon.config.HttpSettings;
import carillon.config.Settings.RatesSettings;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits of a node's API: connections, event streams, the heap that bodies and waiting requests
 * take, and the {@link RequestRateLimiter}. Shared by all instances of the API of a node;
 * thread-safe.
 */
public final class AdmissionLimits {
  private static final int MAX_STREAMS_PER_CALLER = 20;
  private static final Duration STREAM_RETRY_AFTER = Duration.ofSeconds(5);

  /** Maximum number of surplus connections that stay open until their first request is refused. */
  private static final int MAX_REFUSALS = 1000;

  /** Divisor of the heap size, for each budget. */
  private static final int HEAP_DIVISOR = 8;

  private final HttpSettings http;
  private final RequestRateLimiter rates;
  private final AllowedHosts names;
  private final HeapBudget pipelining;
  private final HeapBudget bodies;
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger refusals = new AtomicInteger();
  private final Map<String, Integer> byAddress = new ConcurrentHashMap<>();
  private final Map<String, Integer> streams = new ConcurrentHashMap<>();

  /**
   * Limits that all event loops of a node share.
   *
   * @param names under which the API is served
   */
  public AdmissionLimits(HttpSettings http, RatesSettings rates, AllowedHosts names) {
    this(http, rates, names, Runtime.getRuntime().maxMemory());
  }

  /**
   * Limits that all event loops of a node share, on a heap of this size.
   *
   * @param names under which the API is served
   * @param heap in bytes
   */
  public AdmissionLimits(HttpSettings http, RatesSettings rates, AllowedHosts names, long heap) {
    this.http = http;
    this.rates = new RequestRateLimiter(rates);
    this.names = names;
    this.pipelining = new HeapBudget(heap / HEAP_DIVISOR);
    this.bodies = new HeapBudget(heap / HEAP_DIVISOR);
  }

  /** The settings of the server. */
  public HttpSettings http() {
    return http;
  }

  /** The names under which the API may be asked. */
  public AllowedHosts names() {
    return names;
  }

  /** The rate limits of requests. */
  public RequestRateLimiter rates() {
    return rates;
  }

  /** Budget of connections on which requests wait for the answers before them. */
  HeapBudget pipelining() {
    return pipelining;
  }

  /** Budget of request bodies. */
  HeapBudget bodies() {
    return bodies;
  }

  /** Number of connections that are open. */
  int connections() {
    return connections.get();
  }

  /** Counts a connection; false, and not counted, when it is one too many. */
  boolean enter(String address) {
    if (connections.incrementAndGet() > http.maxConnections()) {
      connections.decrementAndGet();
      return false;
    }
    int max = http.maxConnectionsPerAddress();
    if (max > 0 && byAddress.merge(address, 1, Integer::sum) > max) {
      leave(address);
      return false;
    }
    return true;
  }

  /** Counts a surplus connection that is open until it is refused; false when they are too many. */
  boolean beginRefusal() {
    if (refusals.incrementAndGet() > MAX_REFUSALS) {
      endRefusal();
      return false;
    }
    return true;
  }

  /** Gives back what {@link #beginRefusal} took. */
  void endRefusal() {
    refusals.decrementAndGet();
  }

  /** Gives back what {@link #enter} took. */
  void leave(String address) {
    connections.decrementAndGet();
    if (http.maxConnectionsPerAddress() > 0) {
      byAddress.computeIfPresent(address, (any, count) -> count == 1 ? null : count - 1);
    }
  }

  /** Counts an event stream; throws an {@link HttpException} when its caller has too many. */
  public void enterStream(String caller) {
    if (streams.merge(caller, 1, Integer::sum) > MAX_STREAMS_PER_CALLER) {
      leaveStream(caller);
      throw HttpException.tooMany(
          "This caller may open "
              + MAX_STREAMS_PER_CALLER
              + " event streams at once; close one and try again.",
          STREAM_RETRY_AFTER);
    }
  }

  /** Gives back what {@link #enterStream} took. */
  public void leaveStream(String caller) {
    streams.computeIfPresent(caller, (any, count) -> count == 1 ? null : count - 1);
  }
}
