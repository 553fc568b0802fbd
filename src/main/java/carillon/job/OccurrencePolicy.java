package carillon.job;

import carillon.job.name.IsoInstant;
import carillon.job.name.WireWord;
import carillon.recurrence.calendar.JobCalendars;
import carillon.recurrence.cron.HashedValue;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Policy of a job for the start of its occurrences, for late occurrences and for overlaps.
 *
 * @param missed policy for occurrences that no node performed in time; absent means the latest runs
 * @param startWithin how long after it is due an occurrence may begin; absent means no limit
 * @param jitter delay of an occurrence after its nominal instant
 * @param overlap policy for occurrences that are due while another execution is under way; absent
 *     means that they run concurrently
 * @param calendars that exclude or move occurrences
 * @param priority among the attempts that wait for a flow, {@link #LEAST_PRIORITY} to {@link
 *     #MOST_PRIORITY}: each step moves an attempt as if it had been due one minute earlier
 */
public record OccurrencePolicy(
    Optional<Missed> missed,
    Optional<Duration> startWithin,
    Optional<Jitter> jitter,
    Optional<Overlap> overlap,
    Optional<JobCalendars> calendars,
    int priority) {
  public static final int LEAST_PRIORITY = -10;
  public static final int MOST_PRIORITY = 10;

  /** Policy of a job without such properties. */
  public static final OccurrencePolicy NONE =
      new OccurrencePolicy(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          0);

  /** Lateness that {@link Catchup#NONE} still accepts as in time. */
  private static final Duration IN_TIME = Duration.ofMinutes(1);

  /** Time by which one step of priority moves an attempt forward. */
  private static final long LEAD_MILLIS = Duration.ofMinutes(1).toMillis();

  /**
   * Policy for missed occurrences.
   *
   * @param run which of them are performed
   * @param max of {@link Catchup#ALL}: how many at most, the newest
   * @param pace of {@link Catchup#ALL}: how far apart they are begun
   */
  public record Missed(Catchup run, int max, Duration pace) {
    public static final int MAX = 100;
    public static final Duration PACE = Duration.ofSeconds(1);

    /** Policy with the default maximum and pace. */
    public Missed(Catchup run) {
      this(run, MAX, PACE);
    }
  }

  /** Selection of the missed occurrences to perform. */
  public enum Catchup implements WireWord {
    LATEST,
    NONE,
    ALL;
  }

  /** Lead of an attempt over its due time among the attempts that wait for a flow, ms. */
  public long leadMillis() {
    return priority * LEAD_MILLIS;
  }

  /** When an occurrence is due. */
  public Instant planned(Instant nominal) {
    return jitter.isEmpty() ? nominal : jitter.get().planned(nominal);
  }

  /** Whether each missed occurrence is performed, and not only the latest. */
  public boolean runsAllMissed() {
    return missed.filter(given -> given.run() == Catchup.ALL).isPresent();
  }

  /** How long after it is due an occurrence may begin, by either property that limits it. */
  public Optional<Duration> patience() {
    return missed.filter(given -> given.run() == Catchup.NONE).isPresent()
        ? Optional.of(IN_TIME)
        : startWithin;
  }

  /** Whether it is too late to begin an occurrence. */
  public boolean isExpired(Instant nominal, Instant now) {
    return patience().filter(limit -> planned(nominal).plus(limit).isBefore(now)).isPresent();
  }

  /**
   * Jitter of a job: delay of an occurrence after its nominal instant, so that many jobs of one
   * instant do not run concurrently. The delay is a hash, the same on every node.
   *
   * @param upTo the delay is shorter than this
   * @param per whether all occurrences of the job have one delay
   * @param job full name of the job, in any case
   */
  public record Jitter(Duration upTo, Per per, String job) {
    /** Unit with a separate delay. */
    public enum Per implements WireWord {
      JOB,
      OCCURRENCE;
    }

    /** When an occurrence is due: to the millisecond, and never before its nominal instant. */
    public Instant planned(Instant nominal) {
      String what = per == Per.JOB ? "jitter" : "jitter " + IsoInstant.text(nominal);
      return nominal.plusMillis(new HashedValue(job).below(upTo.toMillis(), what));
    }
  }

  /**
   * Policy for a due occurrence while another execution of its job is under way: it waits for the
   * end of that execution, or is skipped.
   *
   * @param rule which of the two
   * @param room how many executions may wait, 0 for none
   */
  public record Overlap(Rule rule, int room) {
    /** Default number of executions that may wait with {@link Rule#BUFFER_ALL}. */
    public static final int ROOM = 10;

    /** Policy with the default room of the rule. */
    public Overlap(Rule rule) {
      this(rule, rule.room);
    }

    /** Rule of a job for executions that would overlap. */
    public enum Rule implements WireWord {
      /** The occurrence is skipped. */
      SKIP(0),
      /** The first occurrence waits, the others are skipped. */
      BUFFER_ONE(1),
      /** Occurrences wait in a queue. */
      BUFFER_ALL(ROOM);

      private final int room;

      Rule(int room) {
        this.room = room;
      }
    }
  }
}
