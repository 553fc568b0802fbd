package carillon.job;

import carillon.job.attempt.Attempt;
import carillon.job.name.JobState;
import java.time.Instant;
import java.util.Optional;

/**
 * Version of a job that the writer of a change has read: optimistic concurrency.
 *
 * @param fingerprint identifies the whole version; a change fails if the stored fingerprint differs
 *     by then
 * @param job empty when the stored form cannot be read
 * @param isScheduled whether {@code next} waits for its instant
 * @param next the next occurrence; if it does not wait, it was claimed and none waits after it, or
 *     the job is disabled and still owes it
 * @param claimedOccurrence the nominal instant of the occurrence that began last, before the next
 *     was scheduled
 * @param attemptRevision the revision of the job's attempts, if it differs from that of the job
 *     because an execution under way continued when the job was changed
 * @param heldAttempt the attempt that waits for such a job to be enabled
 * @param marks the marks of its history as they are stored, empty text for none
 */
public record JobVersion(
    String fingerprint,
    Optional<StoredJob> job,
    boolean isScheduled,
    Optional<Instant> next,
    Optional<Instant> claimedOccurrence,
    Optional<Long> attemptRevision,
    Optional<Attempt> heldAttempt,
    String marks) {

  private boolean isLive() {
    return job.filter(known -> !known.state().isFinal()).isPresent();
  }

  private boolean isEnabled() {
    return job.filter(known -> known.state() == JobState.ENABLED).isPresent();
  }

  /** The occurrence that has begun while none waits after it. */
  Optional<Instant> begun() {
    return !isScheduled && (isEnabled() || wentOnWhenDisabled()) ? next : Optional.empty();
  }

  /** Whether the job is disabled while its only occurrence is under way, so that none is owed. */
  private boolean wentOnWhenDisabled() {
    return attemptRevision.isPresent() && claimedOccurrence.equals(next);
  }

  /** The occurrence that has not begun. */
  Optional<Instant> owed() {
    return isLive() && begun().isEmpty() ? next : Optional.empty();
  }

  /** The instant up to which no occurrence of the job may be performed again. */
  Optional<Instant> latest() {
    Optional<Instant> last = isLive() ? Optional.empty() : job.flatMap(StoredJob::last);
    return begun()
        .or(() -> claimedOccurrence)
        .map(instant -> last.filter(instant::isBefore).orElse(instant))
        .or(() -> last);
  }
}
