package carillon.dispatch;

import carillon.bounded.LruMap;
import carillon.job.action.Destination;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Log of executions that were given up. It has a line for each, but at most one per minute for each
 * destination. That line counts those left out. Confined to an event loop.
 */
final class GivenUpLog {
  private static final Logger LOG = LoggerFactory.getLogger(GivenUpLog.class);
  private static final Duration PAUSE = Duration.ofMinutes(1);
  private static final int MAX_DESTINATIONS = 1000;

  private final Map<Destination, Lines> destinations = new LruMap<>(MAX_DESTINATIONS);

  /** Latest log line of a destination, and how many were left out since. */
  private record Lines(Instant last, long leftOut) {}

  /** An attempt failed and none follows. */
  void add(Attempt attempt, Destination destination, HistoryEntry entry) {
    Lines before = destinations.get(destination);
    if (before != null && entry.end().isBefore(before.last.plus(PAUSE))) {
      destinations.put(destination, new Lines(before.last, before.leftOut + 1));
      return;
    }
    destinations.put(destination, new Lines(entry.end(), 0));
    LOG.atWarn()
        .addKeyValue("job", attempt.job())
        .addKeyValue("execution", entry.execution())
        .addKeyValue("destination", destination.authority())
        .addKeyValue("attempts", entry.retry() + 1)
        .addKeyValue("cause", cause(entry))
        .addKeyValue("leftOut", before == null ? 0 : before.leftOut)
        .log("execution given up");
  }

  /** Returns the cause without any text of the target, which is only for readers of the history. */
  private static String cause(HistoryEntry entry) {
    return entry
        .call()
        .error()
        .map(HistoryEntry.CallError::cause)
        .orElseGet(
            () ->
                entry.call().statusCode().isPresent()
                    ? "status " + entry.call().statusCode().getAsInt()
                    : "see the history");
  }
}
