package carillon.api.console;

import carillon.bounded.AsyncCache;
import carillon.flow.Flow;
import carillon.flow.FlowGrant.BreakerState;
import carillon.flow.HostPattern;
import carillon.job.action.Destination;
import carillon.store.Stores;
import carillon.store.operation.DestinationCounts;
import carillon.store.resource.FlowStore.Stopped;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Source of the destinations that all nodes called recently. It gathers them at most every few
 * seconds, once for all waiting callers. Confined to the event loop of its stores.
 */
public final class DestinationService {
  /** Length of the recent period, including the current minute. */
  static final int MINUTES = 15;

  private static final Duration FRESH = Duration.ofSeconds(3);

  /** Maximum number of returned destinations, those with the most attempts first. */
  private static final int MAX_TOLD = 500;

  /** Number of latest minutes whose reports count for calls in flight. */
  private static final int MINUTES_OF_FLIGHT = 2;

  private final Stores stores;
  private final AsyncCache<Recent> cache;

  /** A source that keeps its answer for a few seconds of this clock. */
  public DestinationService(Stores stores, InstantSource clock) {
    this.stores = stores;
    this.cache =
        AsyncCache.ofSlowLookups(FRESH, () -> TimeUnit.MILLISECONDS.toNanos(clock.millis()));
  }

  /**
   * Destinations that were called recently.
   *
   * @param from start of the first minute
   * @param isAll whether these are all destinations
   */
  record Recent(Instant from, List<Called> destinations, boolean isAll) {}

  /**
   * Destination.
   *
   * @param name host and port, or {@code other} for those that a node does not distinguish
   * @param minutes activity of all nodes in each minute
   * @param all total of the minutes; in flight is the current number
   * @param flows flows whose patterns match it, by name
   */
  record Called(
      String name, List<DestinationCounts> minutes, DestinationCounts all, List<Passed> flows) {}

  /**
   * A flow that calls of a destination pass.
   *
   * @param breaker of this destination, closed where the flow has none
   */
  record Passed(Flow flow, BreakerState breaker) {}

  /** The destinations of this moment, or of a few seconds ago. */
  Future<Recent> recent(Instant now) {
    return cache.get("", () -> gather(now));
  }

  private Future<Recent> gather(Instant now) {
    Future<List<Called>> called = called(stores, now);
    Future<List<Stopped>> flows = flows(now);
    return Future.all(called, flows)
        .map(
            all -> {
              FlowsByHost byHost = new FlowsByHost(flows.result());
              return new Recent(
                  from(now),
                  called.result().stream().limit(MAX_TOLD).map(byHost::complete).toList(),
                  called.result().size() <= MAX_TOLD);
            });
  }

  private static Instant from(Instant now) {
    return now.truncatedTo(ChronoUnit.MINUTES).minus(MINUTES - 1L, ChronoUnit.MINUTES);
  }

  /** All destinations of this moment, those with the most attempts first, without their flows. */
  static Future<List<Called>> called(Stores stores, Instant now) {
    return stores
        .operation()
        .activity()
        .readDestinations(from(now), MINUTES)
        .map(DestinationService::called);
  }

  private Future<List<Stopped>> flows(Instant now) {
    return stores
        .resource()
        .flows()
        .all()
        .compose(
            all ->
                all.isEmpty()
                    ? Future.succeededFuture(List.of())
                    : stores
                        .resource()
                        .flows()
                        .stopped("", now)
                        .map(stopped -> states(all.values(), stopped)));
  }

  /** All flows, each with its breakers. */
  private static List<Stopped> states(Collection<Flow> all, List<Stopped> stopped) {
    Map<String, Stopped> found =
        stopped.stream()
            .collect(Collectors.toMap(one -> one.flow().name().key(), Function.identity()));
    return all.stream()
        .map(flow -> found.getOrDefault(flow.name().key(), Stopped.none(flow)))
        .toList();
  }

  private static List<Called> called(List<Map<String, Map<String, DestinationCounts>>> minutes) {
    Map<String, List<DestinationCounts>> byName = new TreeMap<>();
    for (int i = 0; i < minutes.size(); i++) {
      for (Map<String, DestinationCounts> node : minutes.get(i).values()) {
        for (Map.Entry<String, DestinationCounts> one : node.entrySet()) {
          List<DestinationCounts> counts =
              byName.computeIfAbsent(one.getKey(), name -> new ArrayList<>(none(minutes.size())));
          counts.set(i, counts.get(i).plus(one.getValue()));
        }
      }
    }
    Map<String, Long> inFlight = inFlight(minutes);
    return byName.entrySet().stream()
        .map(
            one ->
                new Called(
                    one.getKey(),
                    List.copyOf(one.getValue()),
                    sum(one.getValue(), inFlight.getOrDefault(one.getKey(), 0L)),
                    List.of()))
        .filter(one -> one.all.ended() > 0 || one.all.inFlight() > 0)
        .sorted(
            Comparator.comparingLong((Called one) -> one.all.ended())
                .reversed()
                .thenComparing(Called::name))
        .toList();
  }

  private static List<DestinationCounts> none(int minutes) {
    List<DestinationCounts> none = new ArrayList<>();
    for (int i = 0; i < minutes; i++) {
      none.add(DestinationCounts.NONE);
    }
    return none;
  }

  private static DestinationCounts sum(List<DestinationCounts> minutes, long inFlight) {
    DestinationCounts sum =
        minutes.stream().reduce(DestinationCounts.NONE, DestinationCounts::plus);
    return new DestinationCounts(sum.completed(), sum.failed(), inFlight, sum.durations());
  }

  /** Calls in flight by destination: the sum of the last report of each node. */
  private static Map<String, Long> inFlight(
      List<Map<String, Map<String, DestinationCounts>>> minutes) {
    Map<String, Long> inFlight = new HashMap<>();
    Set<String> seen = new HashSet<>();
    for (int i = minutes.size() - 1; i >= minutes.size() - MINUTES_OF_FLIGHT; i--) {
      minutes
          .get(i)
          .forEach(
              (node, destinations) -> {
                if (seen.add(node)) {
                  destinations.forEach(
                      (name, counts) -> inFlight.merge(name, counts.inFlight(), Long::sum));
                }
              });
    }
    return inFlight;
  }

  /** Flows by the hosts of their patterns, to avoid a scan of all flows for every destination. */
  private static final class FlowsByHost {
    private final Map<String, List<Pattern>> byHost = new HashMap<>();

    private record Pattern(HostPattern pattern, Stopped flow) {}

    FlowsByHost(List<Stopped> flows) {
      for (Stopped one : flows) {
        for (HostPattern pattern : one.flow().definition().match()) {
          byHost
              .computeIfAbsent(pattern.host(), host -> new ArrayList<>())
              .add(new Pattern(pattern, one));
        }
      }
    }

    /** The destination with its flows. */
    Called complete(Called called) {
      return new Called(
          called.name,
          called.minutes,
          called.all,
          parsed(called.name).map(this::passed).orElse(List.of()));
    }

    private List<Passed> passed(Destination destination) {
      Map<String, Passed> found = new TreeMap<>();
      String host = destination.host();
      collect(host, destination, found);
      for (int dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
        collect(host.substring(dot + 1), destination, found);
      }
      return List.copyOf(found.values());
    }

    private void collect(String host, Destination destination, Map<String, Passed> found) {
      for (Pattern one : byHost.getOrDefault(host, List.of())) {
        if (one.pattern.matches(destination)) {
          Flow flow = one.flow.flow();
          found.put(flow.name().key(), new Passed(flow, one.flow.breaker(destination)));
        }
      }
    }

    /** Reads host and port; empty for other text. */
    private static Optional<Destination> parsed(String authority) {
      try {
        HostPattern pattern = HostPattern.parse(authority);
        return Optional.of(new Destination(pattern.host(), pattern.port()));
      } catch (IllegalArgumentException e) {
        return Optional.empty();
      }
    }
  }
}
