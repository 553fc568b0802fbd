package carillon.timer;

import carillon.bounded.LruMap;
import carillon.job.action.Destination;
import carillon.job.attempt.Attempt.Phase;
import carillon.json.StoredJson;
import carillon.redis.SharedClock;
import carillon.store.attempt.ClaimStore;
import carillon.store.attempt.ClaimStore.DeferredResult;
import carillon.store.attempt.CrowdedDestination;
import carillon.store.attempt.DeferredCalls;
import carillon.timer.Admission.WaitingClaim;
import carillon.timer.ClaimDecision.Perform;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Destinations whose calls were recently deferred. Claims of due entries are given the crowded
 * ones: they claim only as many of their calls as find room, and defer the others in Redis. When
 * room becomes free, deferred calls are claimed before their instant. Only the latest such
 * destinations are remembered; deferred calls of others return when they are due. Confined to the
 * timer's event loop.
 */
final class CrowdedDestinations {
  private static final Logger LOG = LoggerFactory.getLogger(CrowdedDestinations.class);

  /** Maximum number of remembered destinations. */
  private static final int MAX = 1024;

  /** Maximum number of destinations to check for room, because every finished call does so. */
  private static final int MAX_LOOKED_AT = 64;

  /** Maximum number of destinations per claim. */
  private static final int MAX_CLAIMED = 16;

  /** Maximum number of remembered spellings of a destination in URIs. */
  private static final int MAX_ORIGINS = 8;

  private final DestinationBulkhead<Perform> bulkhead;
  private final Predicate<Destination> isMatched;
  private final ServingTime servingTime;
  private final SharedClock clock;
  private final TimerObserver observer;

  /** Least recently used first. */
  private final Map<Destination, CrowdedCalls> deferred = new LruMap<>(MAX);

  /** Places of each destination that are reserved for claims under way. */
  private final Map<Destination, Integer> promised = new HashMap<>();

  /** Deferred calls of one destination. */
  private static final class CrowdedCalls {
    private final Destination destination;

    /** Scheme, host and port as URIs of callers spell them. */
    private final Set<String> origins = new LinkedHashSet<>();

    /** Partitions where some may wait. */
    private final BitSet partitions = new BitSet();

    private int nextPartition;

    CrowdedCalls(Destination destination) {
      this.destination = destination;
    }

    /** Returns the next partition, round robin; negative if there is none. */
    int next(IntPredicate isBusy) {
      int next = nextOpen(nextPartition, isBusy);
      return next < 0 ? nextOpen(0, isBusy) : next;
    }

    private int nextOpen(int from, IntPredicate isBusy) {
      int next = partitions.nextSetBit(from);
      while (next >= 0 && isBusy.test(next)) {
        next = partitions.nextSetBit(next + 1);
      }
      return next;
    }
  }

  /** Claim of deferred calls of a partition. Their places are reserved until it is answered. */
  private record DeferredClaim(
      CrowdedDestinations crowded, int partition, List<DeferredCalls> calls)
      implements WaitingClaim<DeferredResult> {
    @Override
    public int limit() {
      return calls.stream().mapToInt(DeferredCalls::places).sum();
    }

    @Override
    public boolean isOfList() {
      return false;
    }

    @Override
    public Future<DeferredResult> send(ClaimStore claims, Instant now) {
      return claims.claimDeferred(partition, now, limit(), calls);
    }

    @Override
    public void answered(DeferredResult reply) {
      crowded.claimed(this, reply.left());
    }

    @Override
    public void failed() {
      crowded.claimed(this, List.of());
    }
  }

  /**
   * Creates a memory without crowded destinations.
   *
   * @param isMatched whether calls of a destination may pass a flow that their actions do not name
   */
  CrowdedDestinations(
      Places places, Predicate<Destination> isMatched, SharedClock clock, TimerObserver observer) {
    this.bulkhead = places.bulkhead();
    this.isMatched = isMatched;
    this.servingTime = places.servingTime();
    this.clock = clock;
    this.observer = observer;
  }

  private CrowdedCalls of(Destination destination) {
    return deferred.computeIfAbsent(destination, CrowdedCalls::new);
  }

  /** Records that this node is about to defer an attempt: its destination has no place. */
  void note(Perform perform) {
    Destination destination = perform.attempt().destination();
    report(destination, 1);
    CrowdedCalls calls = of(destination);
    if (perform.claim().attempt().phase() == Phase.MAIN && calls.origins.size() < MAX_ORIGINS) {
      StoredJson.origin(perform.attempt().definition().action().call())
          .ifPresent(calls.origins::add);
    }
  }

  /** Records that deferred calls wait in a partition. */
  void found(int partition, Destination destination) {
    of(destination).partitions.set(partition);
  }

  private void report(Destination destination, int attempts) {
    observer.deferred(attempts);
    if (bulkhead.isNews(destination, servingTime.millis())) {
      LOG.atWarn()
          .addKeyValue("destination", destination.authority())
          .log(
              bulkhead.isCalled(destination)
                  ? "destination is too slow for its calls, some are deferred"
                  : "too many destinations do not answer, calls to slow and new ones are deferred");
    }
  }

  /**
   * Returns the crowded destinations for a claim of due entries, and reserves their places until
   * the claim is {@linkplain #met answered} or {@linkplain #giveBack failed}.
   *
   * @param limit maximum number of claimed attempts
   */
  List<CrowdedDestination> reserve(int limit) {
    long now = servingTime.millis();
    List<CrowdedDestination> crowded = new ArrayList<>();
    for (CrowdedCalls calls : deferred.values()) {
      if (crowded.size() == MAX_CLAIMED) {
        break;
      }
      if (!calls.origins.isEmpty() && isCrowded(calls, now)) {
        int places = Math.min(limit, room(calls.destination, now));
        promised.merge(calls.destination, places, Integer::sum);
        crowded.add(crowded(calls, places, now));
      }
    }
    return crowded;
  }

  /**
   * Whether to include it in claims. A destination that is not crowded is left out, because
   * reserved places would be missing elsewhere. If its calls may pass a flow, the node decides
   * about each.
   */
  private boolean isCrowded(CrowdedCalls calls, long now) {
    return (!calls.partitions.isEmpty() || bulkhead.room(calls.destination, now) == 0)
        && !isMatched.test(calls.destination);
  }

  private int room(Destination destination, long now) {
    return Math.max(0, bulkhead.room(destination, now) - promised.getOrDefault(destination, 0));
  }

  private CrowdedDestination crowded(CrowdedCalls calls, int places, long now) {
    CompletionRate.Retries retries = bulkhead.retries(calls.destination, now);
    double offset = (double) clock.millis() - now;
    return new CrowdedDestination(
        calls.destination,
        List.copyOf(calls.origins),
        places,
        offset + Math.max(retries.at(), now + (double) CompletionRate.MIN_DELAY),
        retries.spacing(),
        offset + retries.latest(),
        offset + retries.restart());
  }

  /** Evaluates the answer to a claim of due entries. Its attempts must be admitted right after. */
  void met(int partition, List<CrowdedDestination> told, List<CrowdedDestination.Met> met) {
    giveBack(told);
    for (int i = 0; i < told.size(); i++) {
      int count = met.get(i).deferred();
      if (count > 0) {
        Destination destination = told.get(i).destination();
        found(partition, destination);
        bulkhead.deferred(destination, count, servingTime.millis());
        report(destination, count);
      }
    }
  }

  /** Frees the places that were reserved for a claim of due entries. */
  void giveBack(List<CrowdedDestination> told) {
    told.forEach(one -> giveBack(one.destination(), one.places()));
  }

  private void giveBack(Destination destination, int places) {
    promised.merge(destination, -places, Integer::sum);
    promised.remove(destination, 0);
  }

  /** Whether deferred calls may wait in Redis. */
  boolean isWaiting() {
    return !deferred.isEmpty()
        && deferred.values().stream().anyMatch(calls -> !calls.partitions.isEmpty());
  }

  /**
   * Returns the next claim of deferred calls that find room now, and reserves their places.
   * Destinations and partitions take turns.
   *
   * @param isBusy whether nothing can be claimed in a partition now
   * @param limit maximum number of places
   */
  Optional<WaitingClaim<?>> next(IntPredicate isBusy, int limit) {
    long now = servingTime.millis();
    List<CrowdedCalls> inTurn =
        deferred.values().stream()
            .filter(calls -> !calls.partitions.isEmpty())
            .limit(MAX_LOOKED_AT)
            .toList();
    for (CrowdedCalls calls : inTurn) {
      deferred.get(calls.destination); // moves the destination to the end, as most recently used
      int partition = calls.next(isBusy);
      if (partition >= 0 && isRoomy(calls, now)) {
        calls.nextPartition = partition + 1;
        return Optional.of(claim(partition, inTurn, limit, now));
      }
    }
    return Optional.empty();
  }

  private boolean isRoomy(CrowdedCalls calls, long now) {
    return bulkhead.isRoomy(calls.destination, now, room(calls.destination, now))
        && !isMatched.test(calls.destination);
  }

  private DeferredClaim claim(int partition, List<CrowdedCalls> all, int limit, long now) {
    List<DeferredCalls> asked = new ArrayList<>();
    int rest = limit;
    for (CrowdedCalls calls : all) {
      if (asked.size() < MAX_CLAIMED
          && rest > 0
          && calls.partitions.get(partition)
          && isRoomy(calls, now)) {
        int places = Math.min(rest, room(calls.destination, now));
        promised.merge(calls.destination, places, Integer::sum);
        asked.add(new DeferredCalls(calls.destination, places));
        rest -= places;
      }
    }
    return new DeferredClaim(this, partition, asked);
  }

  /**
   * Evaluates the answer to a claim of deferred calls. Its attempts must be admitted right after.
   *
   * @param left of each destination; empty if the claim failed
   */
  private void claimed(DeferredClaim claim, List<DeferredCalls.Left> left) {
    for (int i = 0; i < claim.calls.size(); i++) {
      DeferredCalls asked = claim.calls.get(i);
      giveBack(asked.destination(), asked.places());
      if (i < left.size() && left.get(i).entries() == 0) {
        of(asked.destination()).partitions.clear(claim.partition);
      }
    }
  }
}
