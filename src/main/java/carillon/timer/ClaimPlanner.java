package carillon.timer;

import carillon.bus.Messages.PlannedAttempt;
import carillon.job.Attempt;
import carillon.job.Claim;
import carillon.job.HistoryEntry;
import carillon.job.HistoryEntry.Reason;
import carillon.job.JobDefinition;
import carillon.job.JobKey;
import carillon.job.JobState;
import carillon.job.OccurrencePolicy;
import carillon.json.StoredJson;
import carillon.recurrence.Coverage.Cause;
import carillon.recurrence.Timetable;
import carillon.recurrence.calendar.CalendarDirectory;
import carillon.store.attempt.AttemptOutcome;
import carillon.store.attempt.ClaimedAttempt;
import carillon.store.attempt.NextOccurrence;
import carillon.store.attempt.NextOccurrence.Fate;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides what becomes of a claimed attempt. Knows no clock, no Redis and no thread. */
final class ClaimPlanner {
  private static final Logger LOG = LoggerFactory.getLogger(ClaimPlanner.class);

  /** Missed occurrences are counted up to here; beyond it the record says "at least". */
  private static final long MAX_COUNTED = 10_000;

  private final int maxCrashes;
  private final Supplier<CalendarDirectory> calendars;

  /**
   * A planner.
   *
   * @param maxCrashes an attempt that was in flight on more nodes than this when they died is not
   *     made again
   * @param calendars as this node knows them now
   */
  ClaimPlanner(int maxCrashes, Supplier<CalendarDirectory> calendars) {
    this.maxCrashes = maxCrashes;
    this.calendars = calendars;
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
      return end(claim, now, Reason.DELETED, "the job was deleted");
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
          Optional.of(JobState.FAULTED),
          OptionalInt.empty(),
          true);
    }
  }

  /** The end of an attempt whose job was changed before it was made. */
  static ClaimDecision changed(Claim claim, Instant now) {
    String text =
        mayHaveBeenMade(claim, Optional.empty())
            ? "the job was changed or disabled"
            : "the job was changed or disabled before this attempt";
    return end(claim, now, Reason.CHANGED, text);
  }

  private ClaimDecision plan(
      Claim claim, long leaseStamp, ClaimedAttempt.Job job, JobDefinition definition, Instant now) {
    Attempt attempt = claim.attempt();
    boolean scheduled = isScheduled(attempt);
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
          recurring || attempt.isManual() ? Optional.empty() : Optional.of(JobState.FAULTED),
          definition.pauseAfterFailures(),
          isExclusive(definition));
    }
    if (skips) {
      return end(
          claim,
          next,
          now,
          Reason.COLLECTION_DISABLED,
          "the job collection is disabled",
          Optional.empty(),
          isExclusive(definition));
    }
    if (job.collectionDisabled()) {
      return new ClaimDecision.HoldForCollection(claim, next);
    }
    ClaimDecision.Perform perform =
        new ClaimDecision.Perform(
            new PlannedAttempt(
                claim,
                leaseStamp,
                now.toEpochMilli(),
                job.name(),
                definition,
                definition.action(attempt.phase()).call().destination()),
            next);
    Attempt moved = next.map(NextOccurrence::moved).orElse(attempt);
    Optional<Cause> exclusion =
        scheduled && definition.occurrences().calendars().isPresent()
            ? timetable(attempt, job, definition).exclusion(moved.dueAt())
            : Optional.empty();
    return exclusion.isPresent()
        ? excluded(perform, exclusion.get(), now)
        : unlessExpired(perform, now);
  }

  private Timetable timetable(Attempt attempt, ClaimedAttempt.Job job, JobDefinition definition) {
    return definition.timetable(job.created(), new JobKey(attempt.job()), calendars.get());
  }

  /** An exclusion that was made after the occurrence was planned. */
  private static ClaimDecision excluded(
      ClaimDecision.Perform perform, Cause exclusion, Instant now) {
    String text =
        "calendar '"
            + exclusion.calendar()
            + "' excludes it"
            + exclusion.span().map(span -> " (" + span + ")").orElse("");
    return end(
        perform.claim(),
        perform.next().map(NextOccurrence::skipping),
        now,
        Reason.EXCLUDED,
        text,
        Optional.empty(),
        isExclusive(perform.attempt().definition()));
  }

  /** The same, or the end of an occurrence that it is too late to begin. */
  static ClaimDecision unlessExpired(ClaimDecision.Perform perform, Instant now) {
    Attempt attempt = perform.next().map(NextOccurrence::moved).orElse(perform.claim().attempt());
    return unlessExpired(perform, attempt, now);
  }

  /**
   * The same, where the next occurrence waits.
   *
   * @param attempt that the claim is of by then: the planned one, unless the job was changed
   */
  static ClaimDecision unlessExpired(ClaimDecision.Perform perform, Attempt attempt, Instant now) {
    JobDefinition definition = perform.attempt().definition();
    return isScheduled(attempt) && definition.occurrences().isExpired(attempt.dueAt(), now)
        ? expired(perform, definition, now)
        : perform;
  }

  private static boolean isExclusive(JobDefinition definition) {
    return definition.occurrences().overlap().isPresent();
  }

  /** The end of an attempt that would overlap another execution of its job. */
  static ClaimDecision overlapping(Claim claim, Instant now) {
    return new ClaimDecision.End(
        claim,
        Optional.empty(),
        attempt ->
            ended(
                HistoryEntry.skipped(
                    attempt, now, Reason.OVERLAP, "another execution of the job was under way"),
                Optional.empty(),
                true));
  }

  /**
   * Whether its call may have been made by a node that has ended since. Before the call of an
   * occurrence the next one is stored.
   */
  private static boolean mayHaveBeenMade(Claim claim, Optional<NextOccurrence> next) {
    return claim.attempt().crashes() > 0 && next.isEmpty();
  }

  private static boolean isScheduled(Attempt attempt) {
    return attempt.isFirst() && !attempt.isManual();
  }

  private static ClaimDecision expired(
      ClaimDecision.Perform perform, JobDefinition definition, Instant now) {
    String text =
        "it could not be begun within "
            + definition.occurrences().patience().orElseThrow()
            + " after its instant";
    Optional<JobState> once =
        definition.recurrence().isEmpty() ? Optional.of(JobState.FAULTED) : Optional.empty();
    return end(
        perform.claim(),
        perform.next().map(NextOccurrence::skipping),
        now,
        Reason.EXPIRED,
        text,
        once,
        isExclusive(definition));
  }

  private NextOccurrence next(
      Attempt attempt,
      ClaimedAttempt.Job job,
      JobDefinition definition,
      boolean skips,
      Instant now) {
    Timetable timetable = timetable(attempt, job, definition);
    Fate fate = fate(attempt, definition, skips);
    if (timetable.drifts()) {
      Optional<Instant> next = timetable.awaitedAfter(now);
      return new NextOccurrence(
          attempt,
          next,
          next.map(definition.occurrences()::planned),
          local(next, job, definition),
          fate,
          0,
          Optional.empty());
    }
    OccurrencePolicy policy = definition.occurrences();
    boolean catchesUp = policy.runsAllMissed() && !skips;
    Instant latest = latest(attempt.dueAt(), timetable, policy, now);
    Instant first =
        catchesUp ? firstToCatchUp(attempt.dueAt(), latest, timetable, policy, now) : latest;
    long skipped =
        first.equals(attempt.dueAt()) ? 0 : timetable.between(attempt.dueAt(), first, MAX_COUNTED);
    Attempt moved = attempt.movedTo(first);
    Optional<HistoryEntry> entry =
        skipped == 0
            ? Optional.empty()
            : Optional.of(missed(attempt, skipped, tail(first, latest, policy, skips, now), now));
    Optional<Instant> next = timetable.awaitedAfter(first);
    Optional<Instant> planned = next.map(policy::planned);
    Optional<Instant> due = catchesUp ? planned.map(at -> paced(at, policy, now)) : planned;
    return new NextOccurrence(moved, next, due, local(next, job, definition), fate, skipped, entry);
  }

  /** The latest occurrence that is due; the claimed one where none is later. */
  private static Instant latest(
      Instant claimed, Timetable timetable, OccurrencePolicy policy, Instant now) {
    Optional<Instant> latest = timetable.latest(now).filter(claimed::isBefore);
    while (latest.isPresent() && policy.planned(latest.get()).isAfter(now)) {
      latest = timetable.latest(latest.get().minusNanos(1)).filter(claimed::isBefore);
    }
    return latest.orElse(claimed);
  }

  /**
   * The oldest occurrence that is performed where all that were missed are: there are no more than
   * the policy takes from it to the latest, and it is not too late for it.
   */
  private static Instant firstToCatchUp(
      Instant claimed, Instant latest, Timetable timetable, OccurrencePolicy policy, Instant now) {
    int max = policy.missed().orElseThrow().max();
    if (timetable.between(claimed, latest, max) < max && !policy.isExpired(claimed, now)) {
      return claimed;
    }
    Instant first = latest;
    for (int taken = 1; taken < max; taken++) {
      Optional<Instant> before =
          timetable
              .latest(first.minusNanos(1))
              .filter(at -> !at.isBefore(claimed) && !policy.isExpired(at, now));
      if (before.isEmpty()) {
        break;
      }
      first = before.get();
    }
    return first;
  }

  /** When a missed occurrence is performed after another. */
  private static Instant paced(Instant planned, OccurrencePolicy policy, Instant now) {
    return planned.isAfter(now) ? planned : now.plus(policy.missed().orElseThrow().pace());
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

  private static HistoryEntry missed(Attempt attempt, long skipped, String tail, Instant now) {
    String count = skipped >= MAX_COUNTED ? "at least " + MAX_COUNTED : Long.toString(skipped);
    return HistoryEntry.skipped(
        attempt,
        now,
        Reason.MISSED,
        count + " occurrences from " + attempt.dueAt() + " were missed; " + tail);
  }

  /** What becomes of the occurrences after the missed ones. */
  private static String tail(
      Instant first, Instant latest, OccurrencePolicy policy, boolean skips, Instant now) {
    if (skips || policy.isExpired(first, now)) {
      return "the latest, of " + latest + ", is not performed either";
    }
    return first.equals(latest)
        ? "the latest, of " + latest + ", runs late"
        : "those from " + first + " on run late";
  }

  private static ClaimDecision end(Claim claim, Instant now, Reason reason, String text) {
    return end(claim, Optional.empty(), now, reason, text, Optional.empty(), true);
  }

  /**
   * Where the definition is not at hand, or no more what it was, the execution may be exclusive.
   */
  private static ClaimDecision end(
      Claim claim,
      Optional<NextOccurrence> next,
      Instant now,
      Reason reason,
      String text,
      Optional<JobState> once,
      boolean isExclusive) {
    boolean isInterrupted = mayHaveBeenMade(claim, next);
    return new ClaimDecision.End(
        claim,
        next,
        attempt ->
            ended(
                isInterrupted
                    ? HistoryEntry.interrupted(attempt, now, text)
                    : HistoryEntry.skipped(attempt, now, reason, text),
                once,
                isExclusive));
  }

  private static AttemptOutcome ended(
      HistoryEntry entry, Optional<JobState> once, boolean isExclusive) {
    return new AttemptOutcome(
        entry, Optional.empty(), false, once, OptionalInt.empty(), isExclusive);
  }

  private static ClaimDecision failed(
      Claim claim,
      Optional<NextOccurrence> next,
      Instant now,
      String reason,
      Optional<JobState> once,
      OptionalInt mostFailures,
      boolean isExclusive) {
    return new ClaimDecision.End(
        claim, next, attempt -> failed(attempt, now, reason, once, mostFailures, isExclusive));
  }

  private static AttemptOutcome failed(
      Attempt attempt,
      Instant now,
      String reason,
      Optional<JobState> once,
      OptionalInt mostFailures,
      boolean isExclusive) {
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
    return new AttemptOutcome(entry, Optional.empty(), true, once, mostFailures, isExclusive);
  }

  /** The outcome of an attempt whose next occurrence cannot be stored. */
  static AttemptOutcome notScheduled(Attempt attempt, Instant now) {
    return failed(
        attempt,
        now,
        "the next occurrence cannot be stored",
        Optional.of(JobState.FAULTED),
        OptionalInt.empty(),
        true);
  }
}
