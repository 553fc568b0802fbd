package carillon.api.console;

import carillon.job.AttemptRecord;
import carillon.job.attempt.HistoryEntry;
import carillon.job.attempt.HistoryEntry.CallError;
import carillon.job.name.WireWord;
import carillon.store.job.JobListing.SinceFailure;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Failures grouped by cause, filled from the newest on. A job is counted once, with the cause of
 * its newest failure. For one request.
 */
final class FailureCauses {
  private final Map<String, FailedJob> jobs = new HashMap<>();
  private final Map<ExecutionCause, Group> groups = new LinkedHashMap<>();
  private int executions;

  /**
   * Cause of a failure.
   *
   * @param destination host and port that were called; empty without a call
   * @param statusCode of the answer
   * @param errorCode reason of a missing answer; empty if unknown
   * @param message first line of the answer, without parts that differ from call to call
   */
  record ExecutionCause(
      String destination, OptionalInt statusCode, String errorCode, String message) {
    /** Ids, and numbers that are no part of a name such as h1 or utf8. */
    private static final Pattern VARIABLE =
        Pattern.compile(
            "\\b[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\\b"
                + "|\\b(?=[a-fA-F]{0,40}\\d)[0-9a-fA-F]{8,}\\b"
                + "|((?<![A-Za-z])\\d|(?<=[A-Za-z])\\d{2})\\d*([.,:-]\\d+)*");

    static ExecutionCause of(AttemptRecord failed) {
      HistoryEntry entry = failed.entry();
      String errorCode =
          entry
              .call()
              .error()
              .<WireWord>map(CallError::kind)
              .or(entry::reason)
              .map(WireWord::word)
              .orElse("");
      return new ExecutionCause(
          failed.destination(), entry.call().statusCode(), errorCode, general(entry.message()));
    }

    /** Replaces ids and numbers, so that messages of one cause are equal. */
    static String general(String message) {
      return VARIABLE.matcher(message).replaceAll("…");
    }

    /** Returns the identifier, which is the same on every node. */
    String id() {
      String text = String.join("\n", destination, statusCode.toString(), errorCode, message);
      return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString();
    }
  }

  /** Job that failed. */
  static final class FailedJob {
    private final AttemptRecord last;
    private final ExecutionCause cause;
    private int executions;
    private SinceFailure state = SinceFailure.FAILING;

    private FailedJob(AttemptRecord last, ExecutionCause cause) {
      this.last = last;
      this.cause = cause;
    }

    /** Returns its newest failure. */
    AttemptRecord last() {
      return last;
    }

    /** Number of its failures of this cause. */
    int executions() {
      return executions;
    }

    SinceFailure state() {
      return state;
    }

    void set(SinceFailure known) {
      state = known;
    }

    private boolean isFailing() {
      return state == SinceFailure.FAILING;
    }
  }

  /** Jobs whose newest failure has the same cause, and their failures of that cause. */
  static final class Group {
    private final ExecutionCause cause;
    private final List<FailedJob> jobs = new ArrayList<>();
    private final Instant last;
    private Instant first;
    private String message;
    private int executions;

    private Group(ExecutionCause cause, AttemptRecord newest) {
      this.cause = cause;
      this.last = newest.entry().end();
      this.message = newest.entry().message();
    }

    private void add(AttemptRecord failed) {
      executions++;
      first = failed.entry().end();
      if (!message.equals(failed.entry().message())) {
        message = cause.message;
      }
    }

    ExecutionCause cause() {
      return cause;
    }

    /** Returns the message itself if all are equal, else their common part. */
    String message() {
      return message;
    }

    int executions() {
      return executions;
    }

    Instant first() {
      return first;
    }

    Instant last() {
      return last;
    }

    /**
     * Returns the failing jobs and then the others, in both cases with the newest failure first.
     */
    List<FailedJob> jobs() {
      return jobs.stream().sorted(Comparator.comparing(job -> !job.isFailing())).toList();
    }

    long failing() {
      return jobs.stream().filter(FailedJob::isFailing).count();
    }
  }

  /** Adds a failure that is not newer than the previous ones. */
  void add(AttemptRecord failed) {
    executions++;
    ExecutionCause cause = ExecutionCause.of(failed);
    FailedJob job = jobs.get(failed.job());
    if (job == null) {
      job = new FailedJob(failed, cause);
      jobs.put(failed.job(), job);
      groups.computeIfAbsent(cause, added -> new Group(added, failed)).jobs.add(job);
    }
    if (job.cause.equals(cause)) {
      job.executions++;
      groups.get(cause).add(failed);
    }
  }

  /** Number of failures that were added. */
  int executions() {
    return executions;
  }

  /**
   * Returns the groups in the order of the number of jobs that still fail. Among equals the newest
   * is first.
   *
   * @param id only the group of this cause; empty for all
   */
  List<Group> groups(String id) {
    return groups.values().stream()
        .filter(group -> id.isEmpty() || id.equals(group.cause.id()))
        .sorted(Comparator.comparingLong(Group::failing).thenComparing(Group::last).reversed())
        .toList();
  }
}
