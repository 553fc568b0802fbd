package carillon.timer;

import carillon.bus.Messages.PlannedAttempt;
import carillon.job.Attempt;
import carillon.job.Claim;
import carillon.job.HistoryEntry;
import carillon.job.HistoryEntry.Reason;
import carillon.job.JobDefinition;
import carillon.job.JobKey;
import carillon.job.JobState;
import carillon.json.StoredJson;
import carillon.recurrence.Timetable;
import carillon.store.attempt.AttemptOutcome;
import carillon.store.attempt.ClaimedAttempt;
import carillon.store.attempt.NextOccurrence;
import carillon.store.attempt.NextOccurrence.Fate;
import java.time.Instant;
import java.time.OffsetDateTime;
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
      return end(claim, Optional.empty(), now, Reason.DELETED, "the job was deleted");
    }
    ClaimedAttempt.Job job = claimed.job().get();
    if (claim.attempt().revision() != job.revision()) {
      return changed(claim, now);
    }
    try {
      return plan(
          claim,
          leaseStamp,
          job,
          StoredJson.readJob(new JobKey(claim.attempt().job()), job.definition()),
          now);
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
        Reason.CHANGED,
        "the job was changed or disabled before this attempt");
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
    boolean givenUp = attempt.crashes() > maxCrashes;
    boolean skips = scheduled && recurring && job.collectionDisabled() && !givenUp;
    Optional<NextOccurrence> next =
        isFollowed ? Optional.of(next(attempt, job, definition, skips, now)) : Optional.empty();
    if (givenUp) {
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
    if (skips) {
      return end(claim, next, now, Reason.COLLECTION_DISABLED, "the job collection is disabled");
    }
    if (job.collectionDisabled()) {
      return new ClaimDecision.HoldForCollection(claim, next);
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
      Attempt attempt,
      ClaimedAttempt.Job job,
      JobDefinition definition,
      boolean skips,
      Instant now) {
    Timetable timetable = definition.timetable(job.created());
    Fate fate = fate(attempt, definition, skips);
    if (timetable.drifts()) {
      Optional<Instant> next = timetable.after(now);
      return new NextOccurrence(
          attempt, next, local(next, job, definition), fate, 0, Optional.empty());
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
    Optional<Instant> next = timetable.after(latest);
    return new NextOccurrence(moved, next, local(next, job, definition), fate, skipped, entry);
  }

  /** What the next occurrence of a job with a time zone stands for; absent for other jobs. */
  private static Optional<String> local(
      Optional<Instant> next, ClaimedAttempt.Job job, JobDefinition definition) {
    return definition
        .timeZone()
        .map(zone -> next.flatMap(at -> definition.localOf(at, job.created())))
        .map(known -> known.map(OffsetDateTime::toString).orElse(NextOccurrence.NO_LOCAL));
  }

  private static Fate fate(Attempt attempt, JobDefinition definition, boolean skips) {
    if (skips) {
      return Fate.SKIPPED;
    }
    return definition.isBeyondCount(attempt.occurrence() + 1) ? Fate.LAST : Fate.PERFORMED;
  }

  private static HistoryEntry missed(Attempt attempt, Attempt moved, long skipped, Instant now) {
    String count = skipped >= MAX_COUNTED ? "at least " + MAX_COUNTED : Long.toString(skipped);
    return HistoryEntry.skipped(
        attempt,
        now,
        Reason.MISSED,
        count
            + " occurrences from "
            + attempt.dueAt()
            + " were missed; the latest, of "
            + moved.dueAt()
            + ", runs late");
  }

  private static ClaimDecision end(
      Claim claim, Optional<NextOccurrence> next, Instant now, Reason reason, String text) {
    return new ClaimDecision.End(
        claim,
        next,
        attempt ->
            new AttemptOutcome(
                HistoryEntry.skipped(attempt, now, reason, text),
                Optional.empty(),
                false,
                Optional.empty()));
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
    HistoryEntry entry =
        new HistoryEntry(
            now,
            now,
            attempt.dueAt(),
            HistoryEntry.Status.FAILED,
            attempt.phase(),
            attempt.occurrence(),
            attempt.number() - 1,
            attempt.executionId(),
            reason);
    return new AttemptOutcome(entry, Optional.empty(), true, once);
  }

  /** The outcome of an attempt whose next occurrence cannot be stored. */
  static AttemptOutcome notScheduled(Attempt attempt, Instant now) {
    return failed(
        attempt, now, "the next occurrence cannot be stored", Optional.of(JobState.FAULTED));
  }
}
