package carillon.job;

import carillon.job.attempt.Attempt;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.job.name.JobName;
import carillon.job.name.JobState;
import java.time.Instant;
import java.util.Optional;

/**
 * A job as it is stored.
 *
 * @param name with the job's own name in the case it was given
 * @param definition as the client gave it
 * @param state see {@link JobState}
 * @param revision rises with every change by a client; the ETag
 * @param next the next occurrence, if one waits
 * @param last the actual start of the latest execution
 * @param occurrence the number of the next occurrence, from 1
 * @param counters of executions and attempts so far
 * @param created when this definition was PUT; a PATCH keeps it
 * @param modified when a client last changed it
 * @param pause of a job that is disabled; empty for other states, and if its document disabled it
 */
public record StoredJob(
    JobName name,
    JobDefinition definition,
    JobState state,
    long revision,
    Optional<Instant> next,
    Optional<Instant> last,
    int occurrence,
    Counters counters,
    Instant created,
    Instant modified,
    Optional<Pause> pause) {

  /** A job that was PUT now, without any executions yet. */
  public StoredJob(
      JobName name,
      JobDefinition definition,
      JobState state,
      long revision,
      Optional<Instant> next,
      Instant now) {
    this(
        name,
        definition,
        state,
        revision,
        next,
        Optional.empty(),
        1,
        Counters.ZERO,
        now,
        now,
        Optional.empty());
  }

  /** Whether such a version differs only in its description or labels. */
  public boolean differsInWordsAlone(JobDefinition other, JobState otherState) {
    return state == otherState
        && !definition.metadata().equals(other.metadata())
        && definition.doesTheSameAs(other);
  }

  /**
   * Whether a PUT of its present definition leaves the job unchanged: the job is enabled, and
   * recurring or due to start later. Such a PUT runs any other job again.
   */
  public boolean outlivesItsRepeat(Instant now) {
    return state == JobState.ENABLED
        && (definition.recurrence().isPresent()
            || definition.startTime().filter(now::isBefore).isPresent());
  }

  /** Fails with CONFLICT if the job is completed or faulted: no client changes such a job. */
  public void requireChangeable() {
    if (state.isFinal()) {
      throw refusal(" and cannot be changed; retry it, or PUT it again.");
    }
  }

  /** Fails with CONFLICT unless the job is a one-time job that is completed or faulted. */
  public void requireRetriable() {
    if (!state.isFinal()) {
      throw refusal(", not completed or faulted; run it instead.");
    }
    if (definition.recurrence().isPresent()) {
      throw new JobException(
          ErrorCode.CONFLICT,
          "The schedule of job '" + name.job() + "' is over; PUT it with a later end.");
    }
  }

  private JobException refusal(String why) {
    return new JobException(
        ErrorCode.CONFLICT, "Job '" + name.job() + "' is " + state.word() + why);
  }

  /** Returns this job after a client has changed its description or labels. */
  public StoredJob saying(JobDefinition other, long newRevision, Instant at) {
    return new StoredJob(
        name, other, state, newRevision, next, last, occurrence, counters, created, at, pause);
  }

  /** Returns this job after a client has changed it and its schedule was computed again. */
  public StoredJob rescheduled(
      JobDefinition other,
      JobState otherState,
      long newRevision,
      Rescheduling.Result plan,
      Optional<Pause> newPause,
      Instant at) {
    return new StoredJob(
        name,
        other,
        otherState,
        newRevision,
        otherState == JobState.ENABLED ? plan.next() : Optional.empty(),
        last,
        plan.occurrence(),
        counters.withSkipped(plan.skipped()),
        created,
        at,
        newPause);
  }

  /** The id of the execution of its next occurrence, which must exist. */
  public String nextExecution() {
    return new Attempt(
            name.key(), next.orElseThrow(), occurrence, Attempt.Phase.MAIN, 1, revision, 0)
        .executionId();
  }

  /**
   * Counters of a job.
   *
   * @param executions executions begun
   * @param failures failed attempts of the main action
   * @param faulted executions whose attempts were all used up
   * @param skipped occurrences that were recorded but not performed
   */
  public record Counters(long executions, long failures, long faulted, long skipped) {
    public static final Counters ZERO = new Counters(0, 0, 0, 0);

    /** Returns these counters with more skipped occurrences. */
    public Counters withSkipped(long more) {
      return new Counters(executions, failures, faulted, skipped + more);
    }
  }

  /**
   * Entry of a list for a job whose stored form cannot be read.
   *
   * @param name of the job
   * @param reason why it cannot be read
   */
  public record DamagedJob(JobName name, String reason) {}
}
