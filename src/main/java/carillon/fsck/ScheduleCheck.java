package carillon.fsck;

import carillon.fsck.FindingVerifier.Suspicion;
import carillon.job.JobDefinition;
import carillon.job.OccurrencePolicy;
import carillon.job.name.JobState;
import carillon.redis.ConditionalCommands;
import carillon.redis.EpochMillis;
import carillon.store.attempt.PurgeStore.Purge;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Check that the next occurrence, the end or the purge of a job waits, as its state requires. */
final class ScheduleCheck {
  /** Time after the end of its retention in which some node would have removed a finished job. */
  private static final Duration PATIENCE = Duration.ofHours(1);

  /** Maximum delay of a claim after the due instant. */
  private static final Duration CLAIM_DELAY = Duration.ofMinutes(1);

  private final InstantSource clock;
  private final Duration keepFinished;
  private final AttemptCheck attempts;

  ScheduleCheck(InstantSource clock, Duration keepFinished, AttemptCheck attempts) {
    this.clock = clock;
    this.keepFinished = keepFinished;
    this.attempts = attempts;
  }

  void check(JobSnapshot view, List<Suspicion> suspects) {
    switch (view.state()) {
      case ENABLED -> checkEnabled(view, suspects);
      case DISABLED -> {
        checkUnderWay(view);
        view.pausedUntil().ifPresent(until -> checkResume(view, until, suspects));
      }
      case COMPLETED, FAULTED -> checkPurge(view, suspects);
    }
  }

  private static void checkResume(JobSnapshot view, Instant until, List<Suspicion> suspects) {
    if (view.resume() == null) {
      String at = Long.toString(EpochMillis.of(until));
      suspects.add(
          new Suspicion(
              FindingKind.NEVER_RESUMES,
              view.dueKey() + " " + view.resumeMember(),
              at,
              "nothing",
              view.unchanged()
                  .whenSame(view.field("pause"), "HGET", view.key(), "pause")
                  .whenNone("ZSCORE", view.dueKey(), view.resumeMember())
                  .then("ZADD", view.dueKey(), at, view.resumeMember())));
    }
  }

  private void checkUnderWay(JobSnapshot view) {
    if (view.openExecutions() != 0) {
      attempts.suspect(view);
    }
  }

  /**
   * Checks the purge entry of a job. An overdue job has lost its entry if the first entry is not
   * overdue, because the nodes have handled all entries before that. This needs no search of the
   * list, which may be long.
   */
  private void checkPurge(JobSnapshot view, List<Suspicion> suspects) {
    Instant now = clock.instant();
    Purge purge = view.purge(now);
    if (isOverdue(purge, now)
        && (view.finished() == null || !isOverdue(Purge.of(view.finished()), now))) {
      suspects.add(
          new Suspicion(
              FindingKind.NO_PURGE,
              view.finishedKey() + " " + view.job(),
              purge.entry(),
              "nothing",
              view.unchanged()
                  .whenSame(view.field("latest"), "HGET", view.key(), "latest")
                  .whenNone("LPOS", view.finishedKey(), purge.entry())
                  .then("RPUSH", view.finishedKey(), purge.entry())));
    }
  }

  private boolean isOverdue(Purge purge, Instant now) {
    return Instant.ofEpochMilli(purge.ended()).isBefore(now.minus(keepFinished).minus(PATIENCE));
  }

  private void checkEnabled(JobSnapshot view, List<Suspicion> suspects) {
    Optional<Instant> next = view.next();
    boolean isBegun = !view.isExhausted() && next.isPresent() && view.due() == null;
    if (isBegun || view.openExecutions() != 0) {
      attempts.suspect(view);
    }
    if (view.isExhausted()) {
      if (view.openExecutions() == 0) {
        suspects.add(end(view));
      }
      return;
    }
    if (next.isEmpty()) {
      suspects.add(restart(view));
      return;
    }
    if (view.due() == null || view.due().equals(score(next.get()))) {
      return;
    }
    Instant planned = view.definition().occurrences().planned(next.get());
    String at = score(planned);
    if (!view.due().equals(at) && !isPaced(view, planned)) {
      suspects.add(
          new Suspicion(
              FindingKind.WRONG_INSTANT,
              view.dueKey() + " " + view.dueMember(),
              at,
              view.due(),
              view.sameSchedule()
                  .whenSame(view.due(), "ZSCORE", view.dueKey(), view.dueMember())
                  .whenNone("ZSCORE", view.deferredKey(), view.dueMember()) // the call was deferred
                  .then("ZADD", view.dueKey(), at, view.dueMember())));
    }
  }

  private static String score(Instant instant) {
    return Long.toString(EpochMillis.of(instant));
  }

  /**
   * Whether the occurrence was missed and waits for its turn among other missed ones: it is due one
   * pace after the claim of the previous one. If the clock was set back since, that claim may lie
   * in the future.
   */
  private boolean isPaced(JobSnapshot view, Instant planned) {
    OccurrencePolicy policy = view.definition().occurrences();
    if (!policy.runsAllMissed() || view.due().endsWith("inf")) {
      return false;
    }
    Duration pace = policy.missed().orElseThrow().pace();
    Instant due = Instant.ofEpochMilli((long) Double.parseDouble(view.due()));
    return due.isAfter(planned) && !due.minus(pace).isAfter(latestClaim(view, pace));
  }

  /**
   * Returns the latest instant at which the previous occurrence may have been claimed. It is now,
   * or later if the clock was set back: an execution under way was due one pace after the last
   * start.
   */
  private Instant latestClaim(JobSnapshot view, Duration pace) {
    Instant now = clock.instant();
    Optional<Instant> last = Optional.ofNullable(view.field("last")).map(Instant::parse);
    return last.map(start -> start.plus(pace).plus(CLAIM_DELAY)).filter(now::isBefore).orElse(now);
  }

  /** A job that never ends, and its repair: it ends as the script {@code finish} ends it. */
  private Suspicion end(JobSnapshot view) {
    String state =
        view.field("lastOccurrenceTaken").equals(JobState.FAULTED.word())
            ? JobState.FAULTED.word()
            : JobState.COMPLETED.word();
    return new Suspicion(
        FindingKind.NEVER_ENDS,
        view.key(),
        state,
        "enabled, lastOccurrenceTaken, openExecutions 0",
        view.sameSchedule()
            .then("HSET", view.key(), "state", state)
            .then(
                "HDEL",
                view.key(),
                "next",
                "local",
                "openExecutions",
                "lastOccurrenceTaken",
                "attemptRevision",
                "heldAttempt")
            .then("ZREM", view.indexKey(), view.indexMember())
            .then("ZADD", view.indexKey(), "0", view.indexMember(state))
            .then("ZREM", view.dueKey(), view.dueMember())
            .then("RPUSH", view.finishedKey(), view.purge(clock.instant()).entry()));
  }

  private Suspicion restart(JobSnapshot view) {
    ConditionalCommands proof = view.sameSchedule();
    Optional<Instant> next = nextFromNow(view);
    next.ifPresent(
        at -> {
          proof
              .then("HSET", view.key(), "next", at.toString())
              .then(
                  "ZADD",
                  view.dueKey(),
                  score(view.definition().occurrences().planned(at)),
                  view.dueMember());
          view.definition()
              .localOf(at, view.created())
              .ifPresent(local -> proof.then("HSET", view.key(), "local", local.toString()));
        });
    return new Suspicion(
        FindingKind.NO_NEXT,
        view.key() + " next",
        next.map(Instant::toString).orElse("an instant"),
        String.valueOf(view.field("next")),
        proof);
  }

  /**
   * Returns the next occurrence. Empty when no occurrence is left, or it is unknown whether the
   * only one was performed.
   */
  private Optional<Instant> nextFromNow(JobSnapshot view) {
    JobDefinition definition = view.definition();
    boolean over =
        definition.isBeyondCount(view.occurrence())
            || (definition.recurrence().isEmpty() && view.hash().containsKey("executions"));
    return over ? Optional.empty() : definition.timetable(view.created()).first(clock.instant());
  }
}
