package carillon.job;

import carillon.job.name.WireWord;
import java.time.Instant;
import java.util.Optional;

/**
 * Pause of a job, of a collection, of a group or of everything.
 *
 * @param since when it begins; in the future while it is planned
 * @param by caller that began it, as named in the audit log
 * @param note why, for people
 * @param until when it ends automatically; empty if a client must enable
 * @param reason cause of the pause
 * @param planned the pause that follows it; empty if none is planned
 */
public record Pause(
    Instant since,
    String by,
    Optional<String> note,
    Optional<Instant> until,
    Reason reason,
    Optional<Pause> planned) {
  /** A pause without another one that follows. */
  public Pause(
      Instant since, String by, Optional<String> note, Optional<Instant> until, Reason reason) {
    this(since, by, note, until, reason, Optional.empty());
  }

  /** Name of this program in the audit log, for pauses that no client begins or ends. */
  public static final String PROGRAM = "carillon";

  /** Replacement for a stored pause that cannot be read. It continues until a client ends it. */
  public static final Pause DAMAGED =
      new Pause(
          Instant.EPOCH,
          PROGRAM,
          Optional.of("The stored pause is damaged: resume, or pause anew"),
          Optional.empty(),
          Reason.CLIENT);

  /** Cause of a pause. */
  public enum Reason implements WireWord {
    /** A client disabled the job or collection. */
    CLIENT,
    /** The number of failed executions in a row reached the limit of the job. */
    FAILURES;
  }

  /**
   * Options of a request to disable.
   *
   * @param note why, for people
   * @param from when it begins; empty for now
   * @param until when it ends automatically
   */
  public record PauseOptions(
      Optional<String> note, Optional<Instant> from, Optional<Instant> until) {
    /** Options of a request that only disables. */
    public static final PauseOptions NONE = new PauseOptions(Optional.empty(), Optional.empty());

    /** Options of a pause that begins now. */
    public PauseOptions(Optional<String> note, Optional<Instant> until) {
      this(note, Optional.empty(), until);
    }

    /** Whether the current pause already has all that these options ask for. */
    public boolean isMet(Optional<Pause> current) {
      return equals(NONE)
          || (from.isEmpty()
              && current
                  .filter(pause -> pause.note.equals(note) && pause.until.equals(until))
                  .isPresent());
    }

    /**
     * Returns the pause that this asks for. A new planned pause keeps a current one, and a new
     * pause from now on keeps a planned one.
     *
     * @param current the pause as it is, begun or planned
     */
    public Pause pause(Optional<Pause> current, String by, Instant now) {
      Optional<Pause> goingOn = current.filter(one -> one.goesOn(now) && !one.isDamaged());
      if (from.isPresent()) {
        Pause plan = new Pause(from.get(), by, note, until, Reason.CLIENT);
        return goingOn.map(one -> one.before(Optional.of(plan))).orElse(plan);
      }
      Instant since = goingOn.map(Pause::since).orElse(now);
      return new Pause(
          since, by, note, until, Reason.CLIENT, current.flatMap(one -> one.plan(now)));
    }
  }

  /** Returns the pause of a job after a number of failed executions in a row. */
  public static Pause afterFailures(int limit, Instant now) {
    String note = "stopped after " + limit + (limit == 1 ? " failure" : " failures");
    return new Pause(now, PROGRAM, Optional.of(note), Optional.empty(), Reason.FAILURES);
  }

  /** Whether this has begun and not ended. */
  public boolean goesOn(Instant now) {
    return !since.isAfter(now) && !isOver(now);
  }

  /** Whether this has ended, though it may still be stored. */
  public boolean isOver(Instant now) {
    return until.filter(end -> !end.isAfter(now)).isPresent();
  }

  /** Whether this replaces a stored pause that cannot be read. */
  public boolean isDamaged() {
    return equals(DAMAGED);
  }

  /** Returns the planned pause: this one or the following one. Empty if that is over. */
  public Optional<Pause> plan(Instant now) {
    return since.isAfter(now) ? Optional.of(this) : planned.filter(one -> !one.isOver(now));
  }

  /** Returns the pause that remains when a client resumes: the planned one. Otherwise empty. */
  public Optional<Pause> resumed(Instant now) {
    return goesOn(now) ? planned.filter(one -> one.since.isAfter(now)) : Optional.empty();
  }

  /** Returns this pause, or the one that follows if this one is over. */
  public Optional<Pause> current(Instant now) {
    return isOver(now) ? plan(now) : Optional.of(this);
  }

  /** Returns the instant at which jobs run again, including a pause that follows immediately. */
  public Optional<Instant> end() {
    Optional<Pause> next =
        planned.filter(one -> until.isPresent() && !one.since.isAfter(until.get()));
    if (next.isEmpty()) {
      return until;
    }
    return next.get().until.map(last -> last.isAfter(until.get()) ? last : until.get());
  }

  private Pause before(Optional<Pause> plan) {
    return new Pause(since, by, note, until, reason, plan);
  }

  /** Returns this pause without an end: only a client ends it. */
  public Pause withoutEnd() {
    return new Pause(since, by, note, Optional.empty(), reason);
  }
}
