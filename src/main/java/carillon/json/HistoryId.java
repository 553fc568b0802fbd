package carillon.json;

import carillon.job.Attempt;
import carillon.job.HistoryEntry;
import java.time.Instant;

/**
 * The id of a history entry, in the service's form: two numbers of 20 digits, the first of which
 * falls as time rises, so that ids sort newest first. The second tells entries of one instant
 * apart. Clients treat it as opaque.
 */
public final class HistoryId {
  /** .NET's DateTime.MaxValue in ticks of 100 ns since the year 1. */
  private static final long MAX_TICKS = 3_155_378_975_999_999_999L;

  private static final long EPOCH_TICKS = 621_355_968_000_000_000L;
  private static final long TICKS_PER_SECOND = 10_000_000;
  private static final int NANOS_PER_TICK = 100;
  private static final long ATTEMPTS_PER_OCCURRENCE = 64;
  private static final long ATTEMPTS_PER_ACTION = 32;

  private HistoryId() {}

  /** Computed from the entry alone: nothing is stored for it. */
  public static String of(HistoryEntry entry) {
    long attempt =
        entry.occurrence() * ATTEMPTS_PER_OCCURRENCE
            + (entry.phase() == Attempt.Phase.ERROR ? ATTEMPTS_PER_ACTION : 0)
            + entry.retry();
    StringBuilder id = new StringBuilder(41);
    append(id, MAX_TICKS - ticks(entry.start()));
    append(id.append(':'), Long.MAX_VALUE - attempt);
    return id.toString();
  }

  private static long ticks(Instant instant) {
    return EPOCH_TICKS
        + instant.getEpochSecond() * TICKS_PER_SECOND
        + instant.getNano() / NANOS_PER_TICK;
  }

  private static void append(StringBuilder id, long number) {
    String digits = Long.toString(number);
    id.append("0".repeat(20 - digits.length())).append(digits);
  }
}
