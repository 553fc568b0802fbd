package carillon.job;

import java.time.Instant;

/** What a history shows: the record of an attempt, or a mark. */
public sealed interface HistoryItem permits HistoryEntry, HistoryMark {
  /** When it began. */
  Instant start();

  /** When it was over. */
  Instant end();

  /** How it went. */
  HistoryEntry.Status status();
}
