package carillon.timer;

import carillon.bounded.LruMap;
import carillon.job.Attempt.Phase;
import carillon.job.Destination;
import carillon.json.StoredJson;
import carillon.redis.SharedClock;
import carillon.store.attempt.FullDestination;
import carillon.timer.ClaimDecision.Perform;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Destinations without a free place, which claims are told of: what calls them is put off in Redis,
 * and not claimed for that. Known are the few that have put off something lately. Confined to the
 * timer's event loop.
 */
final class FullDestinations {
  private static final Logger LOG = LoggerFactory.getLogger(FullDestinations.class);

  /** Most that a claim is told of; each is looked for in the definitions of what is due. */
  private static final int MAX = 4;

  private final DestinationBulkhead<Perform> bulkhead;
  private final FlowControl flows;
  private final ServingTime servingTime;
  private final SharedClock clock;
  private final TimerObserver observer;
  private final Map<Destination, String> definitionParts = new LruMap<>(MAX);

  FullDestinations(
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

  /** An attempt found no place at its destination, and is put off. */
  void note(Perform perform) {
    report(perform.attempt().destination(), 1);
    if (perform.claim().attempt().phase() == Phase.MAIN) {
      StoredJson.partOfCallers(perform.attempt().definition().action().call())
          .ifPresent(part -> definitionParts.put(perform.attempt().destination(), part));
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

  /** Those that are full now; where calls may pass a flow, the node decides about each. */
  List<FullDestination> current() {
    if (definitionParts.isEmpty()) {
      return List.of();
    }
    long now = servingTime.millis();
    List<FullDestination> full = new ArrayList<>(MAX);
    definitionParts.forEach(
        (destination, part) -> {
          if (bulkhead.isFull(destination, now) && !flows.isMatched(destination)) {
            full.add(full(destination, part, now));
          }
        });
    return full;
  }

  private FullDestination full(Destination destination, String part, long now) {
    CompletionRate.Retries retries = bulkhead.retries(destination, now);
    double offset = (double) clock.millis() - now;
    return new FullDestination(
        destination,
        part,
        offset + Math.max(retries.at(), now + (double) CompletionRate.MIN_DELAY),
        retries.spacing(),
        offset + retries.latest(),
        offset + retries.restart());
  }

  /**
   * A claim put off what calls them.
   *
   * @param counts how many calls of each
   */
  void putOff(List<FullDestination> full, List<Integer> counts) {
    for (int i = 0; i < full.size(); i++) {
      if (counts.get(i) > 0) {
        bulkhead.putOff(full.get(i).destination(), counts.get(i), servingTime.millis());
        report(full.get(i).destination(), counts.get(i));
      }
    }
  }
}
