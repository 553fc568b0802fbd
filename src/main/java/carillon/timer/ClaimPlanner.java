package carillon.timer;

import carillon.bus.Messages.PlannedAttempt;
import carillon.job.JobDefinition;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.Claim;
import carillon.job.attempt.HistoryEntry;
import carillon.job.attempt.HistoryEntry.Reason;
import carillon.job.collection.Hold.HoldLevel;
import carillon.job.name.JobKey;
import carillon.job.name.JobState;
import carillon.json.StoredJson;
import carillon.recurrence.Coverage.Cause;
import carillon.recurrence.calendar.CalendarDirectory;
import carillon.store.attempt.AttemptOutcome;
import carillon.store.attempt.ClaimedAttempt;
import carillon.store.attempt.NextOccurrence;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides what to do with each claimed attempt. Uses no clock, Redis or threads. */
final class ClaimPlanner {
  private static final Logger LOG = LoggerFactory.getLogger(ClaimPlanner.class);

  /** Delay before an attempt checks again whether its calendar can be read. */
  private static final Duration CALENDAR_RETRY = Duration.ofSeconds(10);

  private final int maxCrashes;
  private final NextOccurrencePlanner occurrences;

  /**
   * Creates a planner.
   *
   * @param maxCrashes an attempt is given up after it was in flight on more nodes than this when
   *     they died
   * @param calendars returns the calendars that this node knows now
   */
  ClaimPlanner(int maxCrashes, Supplier<CalendarDirectory> calendars) {
    this.maxCrashes = maxCrashes;
    this.occurrences = new NextOccurrencePlanner(calendars);
  }

  /**
   * Decides what to do with an attempt.
   *
   * @param leaseStamp stamp of the lease when it was claimed
   * @param now current time
   */
  ClaimDecision plan(ClaimedAttempt claimed, long leaseStamp, Instant now) {
    Claim claim = claimed.claim();
    if (claimed.job().isEmpty()) {
      return Ending.of(claim, now).skipped(Reason.DELETED, "the job was deleted");
    }
    ClaimedAttempt.Job job = claimed.job().get();
    if (claim.attempt().revision() != job.revision()) {
      return jobChanged(claim, now);
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
      return notUnderstood(claim, now);
    }
  }

  private static ClaimDecision notUnderstood(Claim claim, Instant now) {
    return Ending.of(claim, now)
        .finishing(JobState.FAULTED)
        .failed("the stored job cannot be understood");
  }

  /** Ends an attempt whose job was changed before it was made. */
  static ClaimDecision jobChanged(Claim claim, Instant now) {
    String text =
        mayHaveBeenMade(claim, Optional.empty())
            ? "the job was changed or disabled"
            : "the job was changed or disabled before this attempt";
    return Ending.of(claim, now).skipped(Reason.CHANGED, text);
  }

  private ClaimDecision plan(
      Claim claim, long leaseStamp, ClaimedAttempt.Job job, JobDefinition definition, Instant now) {
    Attempt attempt = claim.attempt();
    if (job.state() != JobState.ENABLED && !attempt.isRequested()) {
      return notEnabled(claim, job, definition, now);
    }
    if (attempt.crashes() > maxCrashes) {
      return givenUp(claim, next(attempt, job, definition, false, now), definition, now);
    }
    if (isOfSchedule(attempt) && occurrences.awaitsCalendar(attempt, definition)) {
      return new ClaimDecision.AwaitCalendar(claim, now.plus(CALENDAR_RETRY));
    }
    if (job.held().isPresent() && isOccurrence(attempt, definition)) {
      Optional<NextOccurrence> following = next(attempt, job, definition, true, now);
      return held(job.held().get(), claim, following, definition, now);
    }
    Optional<NextOccurrence> next = next(attempt, job, definition, false, now);
    return job.held().isPresent()
        ? new ClaimDecision.HoldForCollection(claim, job.held().get(), next)
        : unlessExcluded(perform(claim, leaseStamp, job, definition, next, now), job, now);
  }

  /** Holds the attempt of a disabled one-time job. Ends all others. */
  private static ClaimDecision notEnabled(
      Claim claim, ClaimedAttempt.Job job, JobDefinition definition, Instant now) {
    boolean waits = job.state() == JobState.DISABLED && definition.recurrence().isEmpty();
    return waits ? new ClaimDecision.HoldForJob(claim) : jobChanged(claim, now);
  }

  /** Whether this is the first attempt of an occurrence of a recurring job. */
  private static boolean isOccurrence(Attempt attempt, JobDefinition definition) {
    return isOfSchedule(attempt) && definition.recurrence().isPresent();
  }

  /**
   * Returns the occurrence to schedule next. Empty if the attempt is no occurrence, or if the job
   * already has another next occurrence.
   *
   * @param skips whether the occurrence is skipped
   */
  private Optional<NextOccurrence> next(
      Attempt attempt,
      ClaimedAttempt.Job job,
      JobDefinition definition,
      boolean skips,
      Instant now) {
    return isOccurrence(attempt, definition)
            && job.next().filter(attempt.dueAt()::equals).isPresent()
        ? Optional.of(occurrences.plan(attempt, job, definition, skips, now))
        : Optional.empty();
  }

  private static ClaimDecision givenUp(
      Claim claim, Optional<NextOccurrence> next, JobDefinition definition, Instant now) {
    Attempt attempt = claim.attempt();
    Ending ending = Ending.of(claim, now).before(next, definition);
    boolean goesOn = definition.recurrence().isPresent() || attempt.isRequested();
    return (goesOn ? ending : ending.finishing(JobState.FAULTED))
        .failed("given up: its node ended, or failed at it, " + attempt.crashes() + " times");
  }

  private static ClaimDecision held(
      HoldLevel level,
      Claim claim,
      Optional<NextOccurrence> next,
      JobDefinition definition,
      Instant now) {
    String text =
        switch (level) {
          case EVERYTHING -> "everything is paused";
          case GROUP -> "the group is paused";
          case COLLECTION -> "the job collection is disabled";
        };
    return Ending.of(claim, now).before(next, definition).skipped(Reason.COLLECTION_DISABLED, text);
  }

  private static ClaimDecision.Perform perform(
      Claim claim,
      long leaseStamp,
      ClaimedAttempt.Job job,
      JobDefinition definition,
      Optional<NextOccurrence> next,
      Instant now) {
    return new ClaimDecision.Perform(
        new PlannedAttempt(
            claim,
            leaseStamp,
            now.toEpochMilli(),
            job.name(),
            definition,
            definition.action(claim.attempt().phase()).call().destination()),
        job.storedRevision(),
        next);
  }

  /** Returns this decision, or ends an occurrence that is excluded or too late to begin. */
  private ClaimDecision unlessExcluded(
      ClaimDecision.Perform perform, ClaimedAttempt.Job job, Instant now) {
    Attempt attempt = perform.claim().attempt();
    JobDefinition definition = perform.attempt().definition();
    Attempt moved = perform.next().map(NextOccurrence::moved).orElse(attempt);
    Optional<Cause> exclusion =
        isOfSchedule(attempt) && definition.occurrences().calendars().isPresent()
            ? occurrences.timetable(attempt, job, definition).exclusion(moved.dueAt())
            : Optional.empty();
    return exclusion.isPresent()
        ? excluded(perform, exclusion.get(), now)
        : unlessExpired(perform, now);
  }

  /** Ends an occurrence that a calendar has excluded since it was planned. */
  private static ClaimDecision excluded(
      ClaimDecision.Perform perform, Cause exclusion, Instant now) {
    String text =
        "calendar '"
            + exclusion.calendar()
            + "' excludes it"
            + exclusion.span().map(span -> " (" + span + ")").orElse("");
    return Ending.insteadOf(perform, now).skipped(Reason.EXCLUDED, text);
  }

  /** Returns this decision, or ends an occurrence that is too late to begin. */
  static ClaimDecision unlessExpired(ClaimDecision.Perform perform, Instant now) {
    Attempt attempt = perform.next().map(NextOccurrence::moved).orElse(perform.claim().attempt());
    return unlessExpired(perform, attempt, now);
  }

  /**
   * Returns this decision, or ends an attempt that is too late to begin after the next occurrence
   * was scheduled.
   *
   * @param attempt the attempt that the claim now holds: the planned one, unless the job was
   *     changed
   */
  static ClaimDecision unlessExpired(ClaimDecision.Perform perform, Attempt attempt, Instant now) {
    JobDefinition definition = perform.attempt().definition();
    return isOfSchedule(attempt) && definition.occurrences().isExpired(attempt.dueAt(), now)
        ? expired(perform, definition, now)
        : perform;
  }

  /** Ends an attempt that would overlap another execution of its job. */
  static ClaimDecision overlapping(Claim claim, Instant now) {
    return new ClaimDecision.End(
        claim,
        Optional.empty(),
        attempt ->
            AttemptOutcome.ended(
                HistoryEntry.skipped(
                    attempt, now, Reason.OVERLAP, "another execution of the job was under way"),
                Optional.empty(),
                true));
  }

  /**
   * Whether a node that has ended since may have made the call. The next occurrence is always
   * stored before the call, so no call was made if it is still missing.
   */
  private static boolean mayHaveBeenMade(Claim claim, Optional<NextOccurrence> next) {
    return claim.attempt().crashes() > 0 && next.isEmpty();
  }

  private static boolean isOfSchedule(Attempt attempt) {
    return attempt.isFirst() && !attempt.isRequested();
  }

  private static ClaimDecision expired(
      ClaimDecision.Perform perform, JobDefinition definition, Instant now) {
    String text =
        "it could not be begun within "
            + definition.occurrences().patience().orElseThrow()
            + " after its instant";
    Ending ending = Ending.insteadOf(perform, now);
    return (definition.recurrence().isPresent() ? ending : ending.finishing(JobState.FAULTED))
        .skipped(Reason.EXPIRED, text);
  }

  /** Outcome of an attempt whose next occurrence cannot be stored. */
  static AttemptOutcome notScheduled(Attempt attempt, Instant now) {
    return AttemptOutcome.faulted(
        failure(attempt, now, "the next occurrence cannot be stored"),
        Optional.of(JobState.FAULTED),
        OptionalInt.empty(),
        true);
  }

  private static HistoryEntry failure(Attempt attempt, Instant now, String reason) {
    return HistoryEntry.of(attempt, now, now, HistoryEntry.Status.FAILED, reason);
  }

  /**
   * End of an attempt without a call.
   *
   * @param next occurrence to schedule first
   * @param definition of the job; without it, the execution counts as exclusive
   * @param finalState new state of the job, if this ends a one-time job
   */
  private record Ending(
      Claim claim,
      Instant now,
      Optional<NextOccurrence> next,
      Optional<JobDefinition> definition,
      Optional<JobState> finalState) {
    static Ending of(Claim claim, Instant now) {
      return new Ending(claim, now, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Ends an attempt that would be performed. Its occurrence is skipped. */
    static Ending insteadOf(ClaimDecision.Perform perform, Instant now) {
      return of(perform.claim(), now)
          .before(perform.next().map(NextOccurrence::skipping), perform.attempt().definition());
    }

    Ending before(Optional<NextOccurrence> following, JobDefinition known) {
      return new Ending(claim, now, following, Optional.of(known), finalState);
    }

    Ending finishing(JobState state) {
      return new Ending(claim, now, next, definition, Optional.of(state));
    }

    ClaimDecision skipped(Reason reason, String text) {
      boolean isInterrupted = mayHaveBeenMade(claim, next);
      return new ClaimDecision.End(
          claim,
          next,
          attempt ->
              AttemptOutcome.ended(
                  isInterrupted
                      ? HistoryEntry.interrupted(attempt, now, text)
                      : HistoryEntry.skipped(attempt, now, reason, text),
                  finalState,
                  isExclusive()));
    }

    ClaimDecision failed(String reason) {
      return new ClaimDecision.End(
          claim,
          next,
          attempt ->
              AttemptOutcome.faulted(
                  failure(attempt, now, reason), finalState, mostFailures(), isExclusive()));
    }

    private OptionalInt mostFailures() {
      return definition.map(JobDefinition::pauseAfterFailures).orElse(OptionalInt.empty());
    }

    private boolean isExclusive() {
      return definition.map(known -> known.occurrences().overlap().isPresent()).orElse(true);
    }
  }
}
