package carillon.job;

import java.time.Instant;
import java.util.Optional;

/**
 * A job as it stands in the store.
 *
 * @param name with the job's own name in the case it was given
 * @param definition what the client asked for
 * @param state see {@link JobState}
 * @param revision rises with every change by a client; the ETag
 * @param next the next occurrence, if one waits
 * @param last the actual start of the latest execution
 * @param occurrence the number of the next occurrence, from 1
 * @param counters what has happened so far
 * @param created when this definition was PUT; a PATCH keeps it
 * @param modified when a client last changed it
 * @param pause of a job that is disabled; empty for other states, and where its document disabled
 *     it
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

  /** A job that was PUT now: nothing has happened to it. */
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

  /** Whether other words, a description or labels, are all that such a version has of its own. */
  public boolean differsInWordsAlone(JobDefinition other, JobState otherState) {
    return state == otherState
        && !definition.metadata().equals(other.metadata())
        && definition.doesTheSameAs(other);
  }

  /** Fails with CONFLICT where the job is completed or faulted: no client changes such a job. */
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

  /** This job after a client has changed its description or labels. */
  public StoredJob saying(JobDefinition other, long newRevision, Instant at) {
    return new StoredJob(
        name, other, state, newRevision, next, last, occurrence, counters, created, at, pause);
  }

  /**
   * What has happened to the job so far.
   *
   * @param executions executions begun
   * @param failures failed attempts of the main action
   * @param faulted executions whose attempts were all used up
   * @param skipped occurrences that were recorded but not performed
   */
  public record Counters(long executions, long failures, long faulted, long skipped) {
    public static final Counters ZERO = new Counters(0, 0, 0, 0);

    /** These counters with more skipped occurrences. */
    public Counters withSkipped(long more) {
      return new Counters(executions, failures, faulted, skipped + more);
    }
  }

  /**
   * A job whose stored form cannot be read, as a list tells of it.
   *
   * @param name of the job
   * @param reason why it cannot be read
   */
  public record DamagedJob(JobName name, String reason) {}
}
