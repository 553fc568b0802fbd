package carillon.job.attempt;

import java.time.Instant;

/** Item of a history: the record of an attempt, or a mark. */
public sealed interface HistoryItem permits HistoryEntry, HistoryMark {
  /** When it began. */
  Instant start();

  /** When it was over. */
  Instant end();

  /** Status of the item. */
  HistoryEntry.Status status();
}
