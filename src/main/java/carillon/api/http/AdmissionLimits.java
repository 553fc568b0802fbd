package carillon.api.http;

import carillon.config.HttpSettings;
import carillon.config.Settings.RatesSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How much is let in: connections, and requests of each caller and for each collection. Shared by
 * all instances of the API of a node; thread-safe.
 */
public final class AdmissionLimits {
  private static final Duration PERIOD = Duration.ofMinutes(1);

  /** Whoever asks chooses some of these names: beyond so many, the others share one budget. */
  private static final int TOLD_APART = 10_000;

  private static final String OTHERS = "";

  private static final int STREAMS_PER_CALLER = 20;
  private static final Duration STREAM_PAUSE = Duration.ofSeconds(5);

  /** What part of the heap requests of one kind may take. */
  private static final int SHARE = 8;

  private final HttpSettings http;
  private final RatesSettings rates;
  private final AllowedHosts names;
  private final HeapBudget pipelining;
  private final HeapBudget bodies;
  private final AtomicInteger connections = new AtomicInteger();
  private final Map<String, Integer> byAddress = new ConcurrentHashMap<>();
  private final Map<String, Integer> streams = new ConcurrentHashMap<>();
  private final Map<String, FixedWindowCounter> callers = new ConcurrentHashMap<>();
  private final Map<String, FixedWindowCounter> collections = new ConcurrentHashMap<>();

  /**
   * The limits that hold for all event loops of a node together.
   *
   * @param names under which the API may be asked
   */
  public AdmissionLimits(HttpSettings http, RatesSettings rates, AllowedHosts names) {
    this(http, rates, names, Runtime.getRuntime().maxMemory());
  }

  /**
   * The same where the heap is of this size.
   *
   * @param heap in bytes
   */
  public AdmissionLimits(HttpSettings http, RatesSettings rates, AllowedHosts names, long heap) {
    this.http = http;
    this.rates = rates;
    this.names = names;
    this.pipelining = new HeapBudget(heap / SHARE);
    this.bodies = new HeapBudget(heap / SHARE);
  }

  /** The settings of the server. */
  public HttpSettings http() {
    return http;
  }

  /** The names under which the API may be asked. */
  public AllowedHosts names() {
    return names;
  }

  /** For connections on which requests wait for the answers before them. */
  HeapBudget pipelining() {
    return pipelining;
  }

  /** For bodies of requests. */
  HeapBudget bodies() {
    return bodies;
  }

  /** Counts a connection in; false when it is one too many, and is not counted. */
  boolean enter(String address) {
    if (connections.incrementAndGet() > http.maxConnections()) {
      connections.decrementAndGet();
      return false;
    }
    int most = http.maxConnectionsPerAddress();
    if (most > 0 && byAddress.merge(address, 1, Integer::sum) > most) {
      leave(address);
      return false;
    }
    return true;
  }

  /** Counts a connection out. */
  void leave(String address) {
    connections.decrementAndGet();
    if (http.maxConnectionsPerAddress() > 0) {
      byAddress.computeIfPresent(address, (any, count) -> count == 1 ? null : count - 1);
    }
  }

  /** Counts a stream of events in; throws an {@link HttpException} when its caller has too many. */
  public void enterStream(String caller) {
    if (streams.merge(caller, 1, Integer::sum) > STREAMS_PER_CALLER) {
      leaveStream(caller);
      throw HttpException.tooMany(
          "This caller may watch " + STREAMS_PER_CALLER + " times at once; end one and try again.",
          STREAM_PAUSE);
    }
  }

  /** Counts a stream of events out. */
  public void leaveStream(String caller) {
    streams.computeIfPresent(caller, (any, count) -> count == 1 ? null : count - 1);
  }

  /** Counts a request of a caller; throws an {@link HttpException} when it is one too many. */
  public void countCaller(String caller, Instant now) {
    count(callers, caller, rates.perCaller(), now, "This caller");
  }

  /**
   * Counts a request for a collection or for what is in one; throws an {@link HttpException}
   * likewise.
   */
  public void countCollection(ApiRequest request) {
    if (request.path().hasCollection()) {
      String key = request.path().collection().key();
      count(collections, key, rates.perCollection(), request.now(), "This collection");
    }
  }

  private static void count(
      Map<String, FixedWindowCounter> budgets, String name, int limit, Instant now, String who) {
    if (limit == 0) {
      return;
    }
    boolean isToldApart = budgets.size() < TOLD_APART || budgets.containsKey(name);
    FixedWindowCounter budget =
        budgets.computeIfAbsent(
            isToldApart ? name : OTHERS, missing -> new FixedWindowCounter(limit, PERIOD));
    if (budget.take(now) < 0) {
      throw HttpException.tooMany(
          who + " may make " + limit + " requests a minute; try again.", budget.untilRenewal(now));
    }
  }
}
