package carillon.recurrence;

/**
 * Policy for local times that a transition of the clocks leaves out or repeats.
 *
 * @param gap of a local time that does not exist
 * @param fold of a local time that comes twice
 */
public record DstPolicy(Gap gap, Fold fold) {
  /** The distinction of Debian's cron: see {@link #of}. */
  public static final DstPolicy AUTO = new DstPolicy(Gap.AUTO, Fold.AUTO);

  private static final int HOURS_OF_DAY = 24;

  /** What becomes of a local time that does not exist. */
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

  /** What becomes of a local time that comes twice. */
  public enum Fold {
    /** Acts as {@link #BOTH} for a schedule of every hour of the day, else as {@link #FIRST}. */
    AUTO,
    FIRST,
    LAST,
    BOTH
  }

  /**
   * The policy for a recurrence, without AUTO. A schedule of every hour of the day goes on in
   * elapsed time, without hole or crowd; any other runs once for each of its local times.
   */
  DstPolicy of(Recurrence recurrence) {
    boolean everyHour = isEveryHour(recurrence);
    return new DstPolicy(
        gap == Gap.AUTO ? (everyHour ? Gap.SKIP : Gap.SHIFT) : gap,
        fold == Fold.AUTO ? (everyHour ? Fold.BOTH : Fold.FIRST) : fold);
  }

  /** Whether a schedule is of every hour of the day, so that AUTO lets it go on in elapsed time. */
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
