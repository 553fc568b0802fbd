package carillon.job;

import carillon.recurrence.calendar.JobCalendars;
import carillon.recurrence.cron.HashedValue;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Policy of a job for when its occurrences are begun, for those that are late, and for those that
 * would overlap.
 *
 * @param missed what becomes of those that no node performed in time; absent means the latest runs
 * @param startWithin how long after it is due an occurrence may be begun; absent means ever
 * @param jitter how much later than at its instant an occurrence is due
 * @param overlap what becomes of those that are due while another execution is under way; absent
 *     means that they are performed beside it
 * @param calendars by which occurrences are left out or moved
 * @param priority among what waits for a flow, {@link #LEAST_PRIORITY} to {@link #MOST_PRIORITY}:
 *     an attempt stands there as if it had been due so many minutes earlier
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

  /** Of a job that says nothing of it. */
  public static final OccurrencePolicy NONE =
      new OccurrencePolicy(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          0);

  /** What {@link Catchup#NONE} still takes as being in time. */
  private static final Duration IN_TIME = Duration.ofMinutes(1);

  /** What one step of priority is worth. */
  private static final long LEAD_MILLIS = Duration.ofMinutes(1).toMillis();

  /**
   * What becomes of missed occurrences.
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

  /** Which of the missed occurrences are performed. */
  public enum Catchup implements WireWord {
    LATEST,
    NONE,
    ALL;
  }

  /** The property that a node of an earlier format does not know; empty where there is none. */
  public Optional<String> guardedProperty() {
    return missed
        .map(given -> "missed")
        .or(() -> startWithin.map(given -> "startWithin"))
        .or(() -> jitter.map(given -> "jitter"))
        .or(() -> overlap.map(given -> "overlap"))
        .or(() -> calendars.map(given -> "calendars"))
        .or(() -> priority == 0 ? Optional.empty() : Optional.of("priority"));
  }

  /** How much earlier than it was due an attempt stands among what waits for a flow, ms. */
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

  /** How long after it is due an occurrence may be begun, whichever property says it. */
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
   * Jitter of a job: how much later than at its nominal instant an occurrence is due, so that many
   * jobs of one instant do not run at once. A hash, the same on every node.
   *
   * @param upTo the delay is shorter than this
   * @param per whether all occurrences of the job have one delay
   * @param job full name of the job, in any case
   */
  public record Jitter(Duration upTo, Per per, String job) {
    /** What has a delay of its own. */
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
   * What a due occurrence does while another execution of its job is under way: it waits for the
   * end of that, or is skipped.
   *
   * @param rule which of the two
   * @param room how many executions may wait, 0 for none
   */
  public record Overlap(Rule rule, int room) {
    /** How many executions wait with {@link Rule#BUFFER_ALL} where a client does not say. */
    public static final int ROOM = 10;

    /** Policy with the default room of the rule. */
    public Overlap(Rule rule) {
      this(rule, rule.room);
    }

    /** Rule of a job for executions that would overlap. */
    public enum Rule implements WireWord {
      /** The occurrence is not performed. */
      SKIP(0),
      /** The first one waits, the others are not performed. */
      BUFFER_ONE(1),
      /** They wait one behind the other. */
      BUFFER_ALL(ROOM);

      private final int room;

      Rule(int room) {
        this.room = room;
      }
    }
  }
}
