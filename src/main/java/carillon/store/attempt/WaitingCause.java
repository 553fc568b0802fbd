package carillon.store.attempt;

import carillon.job.name.WireWord;
import carillon.redis.ParsedKey.Kind;
import java.util.List;
import java.util.Optional;

/**
 * Cause for which an attempt waits. The cause names the only owner of the attempt: {@code due}, a
 * waiting list, the hash of its job, or the claims of a node. {@code architecture.md} has the same
 * table.
 */
@SuppressWarnings("ImmutableEnumChecker") // lists that are copies
public enum WaitingCause implements WireWord {
  /** Its instant: the next occurrence, a retry, a requested execution. */
  TIME(
      Kind.DUE,
      List.of(
          "create_jobs",
          "put_job",
          "schedule_next",
          "finish",
          "request_execution",
          "release",
          "release_list",
          "recover"),
      List.of("claim_due", "put_job", "delete_job", "sweep_jobs"),
      "not-due"),
  /** A place at its destination. The entry stays in {@code due} and is claimed early. */
  PLACE(Kind.DUE, List.of("claim_due", "defer"), List.of("claim_due", "claim_deferred"), ""),
  /** A token of its flow. */
  FLOW(Kind.LIST, List.of("park"), List.of("claim_list", "release_list"), "held-for-ever"),
  /** The end of a pause of its collection, its group or everything. */
  COLLECTION(Kind.LIST, List.of("park"), List.of("release_list", "retire_epoch"), "held-for-ever"),
  /** The end of another execution of its job. */
  EXECUTION(
      Kind.LIST,
      List.of("schedule_next"),
      List.of("finish", "schedule_next", "request_execution", "quarantine"),
      "held-for-ever"),
  /** The enabling of its one-time job: the field {@code heldAttempt} of the job. */
  JOB(Kind.JOB, List.of("hold_for_job"), List.of("put_job", "delete_job"), "wrong-count"),
  /** The node that claimed it. */
  NODE(
      Kind.CLAIMS,
      List.of("claim_due", "claim_deferred", "claim_list"),
      List.of(
          "finish",
          "end_jobs",
          "release",
          "recover",
          "park",
          "defer",
          "hold_for_job",
          "quarantine",
          "schedule_next"),
      "claims-of-nobody");

  private final Kind owner;
  private final List<String> enteredBy;
  private final List<String> endedBy;
  private final String finding;

  WaitingCause(Kind owner, List<String> enteredBy, List<String> endedBy, String finding) {
    this.owner = owner;
    this.enteredBy = enteredBy;
    this.endedBy = endedBy;
    this.finding = finding;
  }

  /** Kind of the key that owns the attempt. */
  public Kind owner() {
    return owner;
  }

  /** Scripts that begin the wait. */
  public List<String> enteredBy() {
    return enteredBy;
  }

  /** Scripts that end the wait. */
  public List<String> endedBy() {
    return endedBy;
  }

  /** Word of the {@code fsck} finding when the wait would never end. Empty if it always ends. */
  public Optional<String> finding() {
    return Optional.of(finding).filter(word -> !word.isEmpty());
  }
}
