package carillon.job;

import carillon.job.action.StatusSet;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;
import carillon.job.name.JobKey;
import carillon.job.name.WireWord;
import java.time.Instant;
import java.util.Optional;

/**
 * Record of an attempt in the log of all jobs: {@code GET /executions} lists them.
 *
 * @param job key of the job
 * @param name {@code collection/job} in the case they were given
 * @param state result of the attempt for its execution
 * @param destination called host and port; empty if no call was made
 * @param entry of the history, with a message of one line
 */
public record AttemptRecord(
    String job, String name, State state, String destination, HistoryEntry entry) {

  /** Result of an attempt for its execution. */
  public enum State implements WireWord {
    /** Succeeded. */
    COMPLETED,
    /** Succeeded, but took long. */
    SLOW,
    /** Failed, and another attempt follows. */
    RETRYING,
    /** Failed, and no other attempt follows. */
    FAILED;
  }

  /**
   * Source of an attempt: the facts about its call that a record has and the history entry does
   * not.
   *
   * @param name {@code collection/job}
   * @param destination host and port
   */
  public record Source(String name, String destination) {
    /** Returns the source of an attempt without a call. */
    public static Source of(Attempt attempt) {
      JobKey key = new JobKey(attempt.job());
      String collection = key.collection();
      return new Source(
          collection.substring(collection.lastIndexOf('/') + 1) + "/" + key.name(), "");
    }
  }

  /**
   * An attempt in flight, without a record yet.
   *
   * @param node that makes it
   * @param since when the node took it
   */
  public record Running(Attempt attempt, String node, Instant since) {
    /** The word of its state. */
    public static final String STATE = "running";
  }

  /**
   * Filter of records.
   *
   * @param object key of a job, or a prefix of it up to a slash; empty for all
   * @param codes HTTP statuses
   * @param since the earliest end
   * @param until the end is before it
   */
  public record AttemptFilter(
      String object,
      Optional<State> state,
      Optional<String> destination,
      Optional<StatusSet> codes,
      Optional<Instant> since,
      Optional<Instant> until) {
    /** Returns the same filter for one state. */
    public AttemptFilter with(State wanted) {
      return new AttemptFilter(object, Optional.of(wanted), destination, codes, since, until);
    }

    /** Whether the record matches the filter. */
    public boolean matches(AttemptRecord one) {
      Instant end = one.entry.end();
      return state.filter(wanted -> wanted != one.state).isEmpty()
          && destination.filter(wanted -> !wanted.equalsIgnoreCase(one.destination)).isEmpty()
          && codes.filter(wanted -> !hasCode(wanted, one.entry)).isEmpty()
          && since.filter(end::isBefore).isEmpty()
          && until.filter(at -> !end.isBefore(at)).isEmpty();
    }

    private static boolean hasCode(StatusSet wanted, HistoryEntry entry) {
      return entry.call().statusCode().isPresent()
          && wanted.contains(entry.call().statusCode().getAsInt());
    }
  }
}
