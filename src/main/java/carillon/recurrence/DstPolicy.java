package carillon.recurrence;

/**
 * Policy for local times that a transition of the clocks skips or repeats.
 *
 * @param gap for a local time that does not exist
 * @param fold for a local time that comes twice
 */
public record DstPolicy(Gap gap, Fold fold) {
  /** The distinction of Debian's cron: see {@link #of}. */
  public static final DstPolicy AUTO = new DstPolicy(Gap.AUTO, Fold.AUTO);

  private static final int HOURS_OF_DAY = 24;

  /** Policy for a local time that does not exist. */
  public enum Gap {
    /** Acts as {@link #SKIP} for a schedule of every hour of the day, else as {@link #SHIFT}. */
    AUTO,
    /** Later by the length of the gap: 02:30 becomes 03:30. */
    SHIFT,
    /** The first instant after the gap: 02:30 becomes 03:00. */
    BOUNDARY,
    /** No occurrence. */
    SKIP
  }

  /** Policy for a local time that comes twice. */
  public enum Fold {
    /** Acts as {@link #BOTH} for a schedule of every hour of the day, else as {@link #FIRST}. */
    AUTO,
    FIRST,
    LAST,
    BOTH
  }

  /**
   * Returns the policy for a recurrence, without AUTO. A schedule of every hour of the day
   * continues in elapsed time, without gaps or duplicates. Any other schedule runs once for each of
   * its local times.
   */
  public DstPolicy of(Recurrence recurrence) {
    boolean everyHour = isEveryHour(recurrence);
    return new DstPolicy(
        gap == Gap.AUTO ? (everyHour ? Gap.SKIP : Gap.SHIFT) : gap,
        fold == Fold.AUTO ? (everyHour ? Fold.BOTH : Fold.FIRST) : fold);
  }

  /** Whether a schedule covers every hour of the day, so that AUTO continues it in elapsed time. */
  public static boolean isEveryHour(Recurrence recurrence) {
    if (recurrence instanceof PeriodicRecurrence periodic) {
      return isEveryHour(periodic);
    }
    return recurrence instanceof CronRecurrence cron
        ? cron.isWildcard()
        : ((RruleRecurrence) recurrence).isWildcard();
  }

  private static boolean isEveryHour(PeriodicRecurrence recurrence) {
    Schedule schedule = recurrence.schedule();
    if (!schedule.hours().isEmpty()) {
      return schedule.hours().stream().distinct().count() == HOURS_OF_DAY;
    }
    return switch (recurrence.frequency()) {
      case SECOND, MINUTE, HOUR -> true;
      default -> !schedule.minutes().isEmpty();
    };
  }
}
