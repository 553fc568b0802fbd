package carillon.timer;

import carillon.bus.Messages.PlannedAttempt;
import carillon.job.Attempt;
import carillon.job.Claim;
import carillon.job.HistoryEntry;
import carillon.job.JobDefinition;
import carillon.job.JobState;
import carillon.json.StoredJson;
import carillon.recurrence.Timetable;
import carillon.store.attempt.AttemptOutcome;
import carillon.store.attempt.ClaimedAttempt;
import carillon.store.attempt.NextOccurrence;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides what becomes of a claimed attempt. Knows no clock, no Redis and no thread. */
final class ClaimPlanner {
  private static final Logger LOG = LoggerFactory.getLogger(ClaimPlanner.class);

  /** Missed occurrences are counted up to here; beyond it the record says "at least". */
  private static final long MAX_COUNTED = 10_000;

  private final int maxCrashes;

  /**
   * A planner.
   *
   * @param maxCrashes an attempt that was in flight on more nodes than this when they died is not
   *     made again
   */
  ClaimPlanner(int maxCrashes) {
    this.maxCrashes = maxCrashes;
  }

  /**
   * What becomes of an attempt.
   *
   * @param leaseStamp of the lease when it was claimed
   * @param now when it was claimed
   */
  ClaimDecision plan(ClaimedAttempt claimed, long leaseStamp, Instant now) {
    Claim claim = claimed.claim();
    if (claimed.job().isEmpty()) {
      return end(claim, Optional.empty(), now, "the job was deleted", Optional.empty());
    }
    ClaimedAttempt.Job job = claimed.job().get();
    if (claim.attempt().revision() != job.revision()) {
      return changed(claim, now);
    }
    try {
      return plan(claim, leaseStamp, job, StoredJson.readJob(job.definition()), now);
    } catch (RuntimeException e) {
      LOG.atError()
          .addKeyValue("job", claim.attempt().job())
          .setCause(e)
          .log("stored job cannot be understood, it is faulted");
      return failed(
          claim,
          Optional.empty(),
          now,
          "the stored job cannot be understood",
          Optional.of(JobState.FAULTED));
    }
  }

  private static ClaimDecision changed(Claim claim, Instant now) {
    return end(
        claim,
        Optional.empty(),
        now,
        "the job was changed or disabled before this attempt",
        Optional.empty());
  }

  private ClaimDecision plan(
      Claim claim, long leaseStamp, ClaimedAttempt.Job job, JobDefinition definition, Instant now) {
    Attempt attempt = claim.attempt();
    boolean scheduled = attempt.isFirst() && !attempt.isManual();
    boolean recurring = definition.recurrence().isPresent();
    if (job.state() != JobState.ENABLED && !attempt.isManual()) {
      return job.state() == JobState.DISABLED && !recurring
          ? new ClaimDecision.HoldForJob(claim)
          : changed(claim, now);
    }
    boolean isFollowed =
        scheduled && recurring && job.next().filter(attempt.dueAt()::equals).isPresent();
    Optional<NextOccurrence> next =
        isFollowed ? Optional.of(next(attempt, job, definition, now)) : Optional.empty();
    if (attempt.crashes() > maxCrashes) {
      String reason =
          "given up: "
              + attempt.crashes()
              + " nodes ended while this attempt was in flight on them";
      return failed(
          claim,
          next,
          now,
          reason,
          recurring || attempt.isManual() ? Optional.empty() : Optional.of(JobState.FAULTED));
    }
    if (job.collectionDisabled()) {
      return scheduled && recurring
          ? end(claim, next, now, "the job collection is disabled", Optional.empty())
          : new ClaimDecision.HoldForCollection(claim, next);
    }
    return new ClaimDecision.Perform(
        new PlannedAttempt(
            claim,
            leaseStamp,
            now.toEpochMilli(),
            job.name(),
            definition,
            definition.action(attempt.phase()).call().destination()),
        next);
  }

  private static NextOccurrence next(
      Attempt attempt, ClaimedAttempt.Job job, JobDefinition definition, Instant now) {
    Timetable timetable = definition.timetable(job.created());
    boolean more = !definition.isBeyondCount(attempt.occurrence() + 1);
    if (timetable.drifts()) {
      return new NextOccurrence(
          attempt, more ? timetable.after(now) : Optional.empty(), 0, Optional.empty());
    }
    Instant latest =
        timetable.latest(now).filter(attempt.dueAt()::isBefore).orElse(attempt.dueAt());
    long skipped =
        latest.equals(attempt.dueAt())
            ? 0
            : timetable.between(attempt.dueAt(), latest, MAX_COUNTED);
    Attempt moved = attempt.movedTo(latest);
    Optional<HistoryEntry> entry =
        skipped == 0 ? Optional.empty() : Optional.of(missed(attempt, moved, skipped, now));
    return new NextOccurrence(
        moved, more ? timetable.after(latest) : Optional.empty(), skipped, entry);
  }

  private static HistoryEntry missed(Attempt attempt, Attempt moved, long skipped, Instant now) {
    String count = skipped >= MAX_COUNTED ? "at least " + MAX_COUNTED : Long.toString(skipped);
    return skipped(
        attempt,
        now,
        count
            + " occurrences from "
            + attempt.dueAt()
            + " were missed; the latest, of "
            + moved.dueAt()
            + ", runs late");
  }

  private static ClaimDecision end(
      Claim claim,
      Optional<NextOccurrence> next,
      Instant now,
      String reason,
      Optional<JobState> once) {
    return new ClaimDecision.End(
        claim,
        next,
        attempt ->
            new AttemptOutcome(skipped(attempt, now, reason), Optional.empty(), false, once));
  }

  private static ClaimDecision failed(
      Claim claim,
      Optional<NextOccurrence> next,
      Instant now,
      String reason,
      Optional<JobState> once) {
    return new ClaimDecision.End(claim, next, attempt -> failed(attempt, now, reason, once));
  }

  private static AttemptOutcome failed(
      Attempt attempt, Instant now, String reason, Optional<JobState> once) {
    HistoryEntry entry = entry(attempt, now, HistoryEntry.Status.FAILED, reason);
    return new AttemptOutcome(entry, Optional.empty(), true, once);
  }

  /** The outcome of an attempt whose next occurrence cannot be stored. */
  static AttemptOutcome notScheduled(Attempt attempt, Instant now) {
    return failed(
        attempt, now, "the next occurrence cannot be stored", Optional.of(JobState.FAULTED));
  }

  private static HistoryEntry skipped(Attempt attempt, Instant now, String reason) {
    return entry(attempt, now, HistoryEntry.Status.SKIPPED, "Not performed: " + reason);
  }

  private static HistoryEntry entry(
      Attempt attempt, Instant now, HistoryEntry.Status status, String message) {
    return new HistoryEntry(
        now,
        now,
        attempt.dueAt(),
        status,
        attempt.phase(),
        attempt.occurrence(),
        attempt.number() - 1,
        attempt.executionId(),
        message);
  }
}
