package carillon.timer;

import carillon.bounded.LruMap;
import carillon.job.ActionCall;
import carillon.job.Attempt.Phase;
import carillon.job.Destination;
import carillon.job.HttpCall;
import carillon.json.StoredJson;
import carillon.redis.SharedClock;
import carillon.store.attempt.ClaimStore.PutOff;
import carillon.store.attempt.CrowdedDestination;
import carillon.store.attempt.Crowds;
import carillon.timer.ClaimDecision.Perform;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Destinations that have put off calls lately, which claims are told of: a claim brings no more
 * that calls them than finds room, and puts off the rest in Redis. As soon as there is room again,
 * what was put off is claimed, before it comes back by itself. Known are those that have put off
 * something last; what others put off comes back by itself. Confined to the timer's event loop.
 */
final class CrowdedDestinations {
  private static final Logger LOG = LoggerFactory.getLogger(CrowdedDestinations.class);

  /** Most that are known, each with the form in which its URIs begin. */
  private static final int MAX = 1024;

  /** So many are looked at for one that has room: that is asked at each end of a call. */
  private static final int MAX_LOOKED_AT = 64;

  /** Most that a claim is told of; each is looked for in the definitions of what is due. */
  private static final int MAX_TOLD = 4;

  private final DestinationBulkhead<Perform> bulkhead;
  private final FlowControl flows;
  private final ServingTime servingTime;
  private final SharedClock clock;
  private final TimerObserver observer;

  /** By the part of their definitions, least recently used first. */
  private final Map<String, PutOffCalls> waiting = new LruMap<>(MAX);

  /** Places of a destination that claims under way may fill. */
  private final Map<Destination, Integer> promised = new HashMap<>();

  /** What was put off of one destination, as far as its URIs begin alike. */
  static final class PutOffCalls {
    private final Destination destination;
    private final String definitionPart;

    /** Where some of it may wait. */
    private final BitSet partitions = new BitSet();

    /** Where a look for it goes on that did not come to the end, epoch ms. */
    private final Map<Integer, Double> lookedUpTo = new HashMap<>();

    /** Where that look has found some, or some came meanwhile. */
    private final BitSet found = new BitSet();

    /** Until then all of it comes back by itself, epoch ms. */
    private double latest;

    private int nextPartition;

    PutOffCalls(Destination destination, String definitionPart) {
      this.destination = destination;
      this.definitionPart = definitionPart;
    }

    /** Some waits in a partition, until then, epoch ms, at most. */
    void add(int partition, double until) {
      partitions.set(partition);
      found.set(partition); // perhaps where a look has been already
      latest = Math.max(latest, until);
    }

    /**
     * A claim has looked for it: what none was found of in a whole look, from the beginning to the
     * end, is not there.
     *
     * @param hasFound whether some was claimed
     * @param upTo where it stopped, if that was not the end
     */
    void looked(int partition, boolean hasFound, OptionalDouble upTo) {
      if (hasFound) {
        found.set(partition);
      }
      if (upTo.isPresent()) {
        lookedUpTo.put(partition, upTo.getAsDouble());
        return;
      }
      lookedUpTo.remove(partition);
      partitions.set(partition, found.get(partition));
      found.clear(partition);
    }

    /** Round robin; negative where there is none. */
    int next(BitSet except) {
      BitSet open = (BitSet) partitions.clone();
      open.andNot(except);
      int next = open.nextSetBit(nextPartition);
      return next < 0 ? open.nextSetBit(0) : next;
    }
  }

  /**
   * What a claim is told. It is to be {@linkplain #met answered}, or {@linkplain #giveBack given
   * up}: until then it keeps the places for what the claim brings.
   */
  record Told(int partition, boolean looksAhead, Crowds crowds, List<PutOffCalls> waiting) {}

  CrowdedDestinations(
      DestinationBulkhead<Perform> bulkhead,
      FlowControl flows,
      ServingTime servingTime,
      SharedClock clock,
      TimerObserver observer) {
    this.bulkhead = bulkhead;
    this.flows = flows;
    this.servingTime = servingTime;
    this.clock = clock;
    this.observer = observer;
  }

  /**
   * An attempt found no place at its destination, and this node puts it off.
   *
   * @return to be told as soon as it waits in Redis; empty where it comes back by itself
   */
  Optional<PutOffCalls> note(Perform perform) {
    Destination destination = perform.attempt().destination();
    report(destination, 1);
    return perform.claim().attempt().phase() == Phase.MAIN
        ? waiting(perform.attempt().definition().action().call())
        : Optional.empty();
  }

  private Optional<PutOffCalls> waiting(ActionCall call) {
    return StoredJson.partOfCallers(call)
        .map(part -> waiting.computeIfAbsent(part, p -> new PutOffCalls(call.destination(), p)));
  }

  /** Another node, or this one before it was started, has put these off in a partition. */
  void found(int partition, PutOff putOff) {
    for (String uri : putOff.uris()) {
      try {
        waiting(new HttpCall(false, uri, "GET", Map.of(), Optional.empty()))
            .ifPresent(some -> some.add(partition, putOff.until() + 1));
      } catch (IllegalArgumentException e) {
        LOG.atDebug()
            .addKeyValue("uri", uri)
            .addKeyValue("error", e.getMessage())
            .log("damaged URI of a job; it is faulted when it is due");
      }
    }
  }

  private void report(Destination destination, int attempts) {
    observer.putOff(attempts);
    if (bulkhead.isNews(destination, servingTime.millis())) {
      LOG.atWarn()
          .addKeyValue("destination", destination.authority())
          .log(
              bulkhead.isCalled(destination)
                  ? "destination is too slow for its calls, some are put off"
                  : "too many destinations do not answer, calls to slow and new ones are put off");
    }
  }

  /**
   * What a claim in a partition is told.
   *
   * @param limit most attempts that the claim brings
   * @param dueBy what is due until then, epoch ms, is claimed
   */
  Told tell(int partition, int limit, long dueBy) {
    long now = servingTime.millis();
    List<PutOffCalls> told = told(partition, now);
    List<CrowdedDestination> crowded = new ArrayList<>(told.size());
    double after = Double.POSITIVE_INFINITY;
    double by = dueBy;
    for (PutOffCalls some : told) {
      int places = Math.min(limit, room(some, now));
      if (places > 0 && some.partitions.get(partition)) {
        after = Math.min(after, some.lookedUpTo.getOrDefault(partition, 0.0));
        by = Math.max(by, some.latest);
      }
      promised.merge(some.destination, places, Integer::sum);
      crowded.add(crowded(some, places, now));
    }
    boolean looksAhead = by > dueBy;
    Crowds crowds = new Crowds(looksAhead ? after : 0, (long) Math.ceil(by), crowded);
    return new Told(partition, looksAhead, crowds, told);
  }

  /** Those of which something may wait there that finds room come first. */
  private List<PutOffCalls> told(int partition, long now) {
    List<PutOffCalls> told = new ArrayList<>(MAX_TOLD);
    int roomy = 0;
    for (PutOffCalls some : waiting.values()) {
      if (some.partitions.get(partition) && room(some, now) > 0) {
        if (!flows.isMatched(some.destination)) {
          told.add(roomy++, some);
        }
      } else if (told.size() < MAX_TOLD && isCrowded(some, now)) {
        told.add(some);
      }
      if (roomy == MAX_TOLD) {
        break;
      }
    }
    return told.subList(0, Math.min(told.size(), MAX_TOLD));
  }

  /**
   * Whether claims are to be told of it. Of one that is not crowded they keep no places, which
   * would lack where it is called; and where calls may pass a flow, the node decides about each.
   */
  private boolean isCrowded(PutOffCalls some, long now) {
    return (!some.partitions.isEmpty() || bulkhead.room(some.destination, now) == 0)
        && !flows.isMatched(some.destination);
  }

  private int room(PutOffCalls some, long now) {
    return Math.max(
        0, bulkhead.room(some.destination, now) - promised.getOrDefault(some.destination, 0));
  }

  private CrowdedDestination crowded(PutOffCalls some, int places, long now) {
    CompletionRate.Retries retries = bulkhead.retries(some.destination, now);
    double offset = (double) clock.millis() - now;
    return new CrowdedDestination(
        some.destination,
        some.definitionPart,
        places,
        offset + Math.max(retries.at(), now + (double) CompletionRate.MIN_DELAY),
        retries.spacing(),
        offset + retries.latest(),
        offset + retries.restart());
  }

  /** A claim was made; what it brings is to be admitted now. */
  void met(Told told, Crowds.Seen seen) {
    giveBack(told);
    for (int i = 0; i < told.waiting.size(); i++) {
      PutOffCalls some = told.waiting.get(i);
      CrowdedDestination crowded = told.crowds.destinations().get(i);
      CrowdedDestination.Met met = seen.met().get(i);
      if (met.putOff() > 0) {
        some.add(told.partition, crowded.latest() + 1);
        bulkhead.putOff(some.destination, met.putOff(), servingTime.millis());
        report(some.destination, met.putOff());
      }
      boolean isLookedFor =
          told.looksAhead && crowded.places() > 0 && some.partitions.get(told.partition);
      if (isLookedFor && told.crowds.putOffBy() >= some.latest) {
        some.looked(told.partition, met.places() < crowded.places(), seen.lookedUpTo());
      }
    }
  }

  /** Gives the places back that were kept for a claim. */
  void giveBack(Told told) {
    for (CrowdedDestination crowded : told.crowds.destinations()) {
      promised.merge(crowded.destination(), -crowded.places(), Integer::sum);
      promised.remove(crowded.destination(), 0);
    }
  }

  /** Whether something that was put off may wait. */
  boolean isWaiting() {
    return !waiting.isEmpty()
        && waiting.values().stream().anyMatch(some -> !some.partitions.isEmpty());
  }

  /**
   * A partition where something waits for which there is room now, if one of the next destinations
   * has some; they take turns.
   *
   * @param except where nothing can be claimed now
   */
  OptionalInt next(BitSet except) {
    List<PutOffCalls> inTurn =
        waiting.values().stream()
            .filter(some -> !some.partitions.isEmpty())
            .limit(MAX_LOOKED_AT)
            .toList();
    for (PutOffCalls some : inTurn) {
      waiting.get(some.definitionPart); // the others come first from now on
      OptionalInt next = next(some, except);
      if (next.isPresent()) {
        return next;
      }
    }
    return OptionalInt.empty();
  }

  private OptionalInt next(PutOffCalls some, BitSet except) {
    if (some.latest < clock.millis() || flows.isMatched(some.destination)) {
      some.partitions.clear(); // all of it comes back by itself
    }
    long now = servingTime.millis();
    int next = some.partitions.isEmpty() ? -1 : some.next(except);
    if (next < 0 || !bulkhead.isRoomy(some.destination, now, room(some, now))) {
      return OptionalInt.empty();
    }
    some.nextPartition = next + 1;
    return OptionalInt.of(next);
  }
}
