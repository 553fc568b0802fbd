package carillon.store.attempt;

import carillon.config.Settings.ExecutionsSettings;
import carillon.config.Settings.HistorySettings;
import carillon.job.Attempt;
import carillon.job.AttemptRecord.Source;
import carillon.job.Claim;
import carillon.job.IsoInstant;
import carillon.job.JobKey;
import carillon.job.JobState;
import carillon.job.OccurrencePolicy.Overlap;
import carillon.job.collection.PauseScope;
import carillon.json.StoredJson;
import carillon.json.Timestamps;
import carillon.redis.EpochMillis;
import carillon.redis.Keys;
import carillon.redis.RedisErrors;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import carillon.redis.SharedClock;
import carillon.store.attempt.NextOccurrence.Fate;
import carillon.store.attempt.PurgeStore.Purge;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Store of what becomes of claimed attempts: their next occurrence is scheduled, they are finished,
 * released, held for a disabled collection or job. Each method is one script in one partition, safe
 * to repeat after an unknown outcome, and repeated for as long as Redis is away, unless it says
 * otherwise: its future fails only for other reasons, or when the link was closed. Confined to the
 * event loop of its link.
 */
public final class AttemptStore {
  private static final Script<Scheduled> SCHEDULE_NEXT =
      Script.returningWord("schedule_next", Scheduled.class);
  private static final Script<Begun> BEGIN_ATTEMPT =
      Script.returningWord("begin_attempt", Begun.class);
  private static final Script<Finished> FINISH = Script.returningWord("finish", Finished.class);
  private static final Script<Void> RELEASE = Script.returningNothing("release");
  private static final Script<Void> HOLD_FOR_COLLECTION =
      Script.returningNothing("hold_for_collection");
  private static final Script<Void> HOLD_FOR_JOB = Script.returningNothing("hold_for_job");
  private static final Script<Parked> PARK = Script.returningWord("park", Parked.class);
  private static final Script<Void> QUARANTINE = Script.returningNothing("quarantine");

  private final RedisLink link;
  private final Keys keys;
  private final String node;
  private final SharedClock clock;
  private final HistorySettings history;
  private final AttemptLogRule logRule;
  private final EndJobsScript ending;

  /**
   * The attempts of one node.
   *
   * @param node id of this node, under which it has claimed
   * @param clock that knows Redis' time
   * @param history how much every job keeps of its history
   * @param executions which attempts the log of all jobs has
   */
  public AttemptStore(
      RedisLink link,
      Keys keys,
      String node,
      SharedClock clock,
      HistorySettings history,
      ExecutionsSettings executions) {
    this.link = link;
    this.keys = keys;
    this.node = node;
    this.clock = clock;
    this.history = history;
    this.logRule = new AttemptLogRule(executions, keys.partitions());
    this.ending = new EndJobsScript(link, keys, node);
  }

  /** The partition that an attempt lives in. */
  public int partition(Attempt attempt) {
    return keys.partition(attempt.job());
  }

  /** What became of a claim when the next occurrence was to be scheduled. */
  public enum Scheduled {
    /** The next occurrence waits, and the claim stands for {@link NextOccurrence#moved}. */
    SCHEDULED,
    /**
     * The job was changed meanwhile; the claim stands for the occurrence for which it was taken.
     */
    STALE,
    /** {@link #SCHEDULED}, and the claimed one is not performed: another one is under way. */
    OVERLAP,
    /** {@link #STALE}, and the claimed one is not performed: another one is under way. */
    STALE_OVERLAP,
    /** The next occurrence waits, and the claimed one for the end of another: it is let go. */
    BUFFERED,
    /** This node no longer holds the claim. */
    LOST
  }

  /**
   * Lets the next occurrence wait, and records the missed ones.
   *
   * @param overlap of a job whose executions must not overlap, where the claimed one is to be
   *     performed
   */
  public Future<Scheduled> scheduleNext(
      Claim claim, NextOccurrence next, Optional<Overlap> overlap) {
    return link.persist(() -> scheduleNextOnce(claim, next, overlap, clock.instant()));
  }

  private Future<Scheduled> scheduleNextOnce(
      Claim claim, NextOccurrence next, Optional<Overlap> overlap, Instant now) {
    Attempt attempt = claim.attempt();
    String job = attempt.job();
    int partition = keys.partition(job);
    return SCHEDULE_NEXT
        .on(link)
        .key("job", keys.job(partition, job))
        .key("due", keys.due(partition))
        .key("claims", keys.claims(partition, node))
        .key("history", keys.history(partition, job))
        .arg("claim", claim.text())
        .arg("moved", claim.of(next.moved()).text())
        .arg("revision", attempt.revision())
        .iso("nominal", attempt.dueAt())
        .arg("next", next.text())
        .arg("due", next.due().map(EpochMillis::text).orElse(""))
        .arg(
            "occurrence",
            next.number() + (next.fate() == Fate.LAST ? " last" : "") + option(next, overlap))
        .arg("skipped", next.skipped())
        .arg("entry", next.entry().map(StoredJson::write).orElse(""))
        .arg("bounds", historyBounds(history, now))
        .runBatched();
  }

  private static String option(NextOccurrence next, Optional<Overlap> overlap) {
    return overlap
        .map(it -> " overlap=" + it.room() + ":" + EpochMillis.text(next.moved().dueAt()))
        .orElse("");
  }

  /** What becomes of an attempt of a job whose executions must not overlap. */
  public enum Begun {
    /** It is to be made. */
    BEGUN,
    /** It is not to be made: its occurrence was due while another execution was under way. */
    OVERLAP,
    /** It is not to be made: the job was changed since its execution began. */
    CHANGED,
    /** This node no longer holds the claim. */
    LOST
  }

  /**
   * Notes that an attempt is about to be made, which {@link #scheduleNext} does where a next
   * occurrence is to be scheduled.
   */
  public Future<Begun> begin(Claim claim) {
    return link.persist(() -> beginOnce(claim));
  }

  private Future<Begun> beginOnce(Claim claim) {
    String job = claim.attempt().job();
    int partition = keys.partition(job);
    return BEGIN_ATTEMPT
        .on(link)
        .key("claims", keys.claims(partition, node))
        .key("job", keys.job(partition, job))
        .arg("claim", claim.text())
        .run();
  }

  /** What became of an attempt when its outcome was to be recorded. */
  public enum Finished {
    /** Recorded; what follows waits. */
    DONE,
    /** Recorded; as many executions in a row have failed as the job allows. */
    TOO_MANY_FAILURES,
    /** Recorded; an execution that waited for the end of this one is due. */
    RELEASED,
    /** Recorded, and with it the job is completed. */
    COMPLETED,
    /** Recorded, and with it the job is faulted. */
    FAULTED,
    /** The job was deleted; the claim has ended. */
    GONE,
    /** The claim was no longer this node's; nothing is recorded. */
    LOST
  }

  /**
   * Records an outcome; a repeat, or the result of a claim that this node has lost, changes
   * nothing.
   *
   * @param steps told when this fails for long
   */
  public Future<Finished> finish(
      Claim claim, AttemptOutcome outcome, Source source, FailingSteps steps) {
    Optional<String> logEntry = logRule.entryFor(outcome, source);
    boolean isEnd = logEntry.isEmpty() && ending.covers(claim.attempt(), outcome);
    FailingSteps.ResultRecord result = steps.new ResultRecord();
    return link.persist(
            () ->
                (isEnd
                        ? endOnce(claim, outcome)
                        : finishOnce(claim, outcome, logEntry, clock.instant()))
                    .onFailure(result::failed))
        .onComplete(done -> result.ended());
  }

  private Future<Finished> endOnce(Claim claim, AttemptOutcome outcome) {
    return ending
        .end(claim, outcome)
        .compose(
            ended ->
                switch (ended) {
                  case COMPLETED -> Future.succeededFuture(Finished.COMPLETED);
                  case OTHER -> finishOnce(claim, outcome, Optional.empty(), clock.instant());
                });
  }

  private Future<Finished> finishOnce(
      Claim claim, AttemptOutcome outcome, Optional<String> logEntry, Instant now) {
    Attempt attempt = claim.attempt();
    int partition = keys.partition(attempt.job());
    Script.CallBuilder<Finished> call =
        FINISH
            .on(link)
            .key("claims", keys.claims(partition, node))
            .key("job", keys.job(partition, attempt.job()))
            .key("due", keys.due(partition))
            .key("history", keys.history(partition, attempt.job()))
            .key("jobs", keys.jobs(partition, attempt.collection()))
            .key("finished", keys.finished(partition));
    logEntry.ifPresent(text -> call.key("outcomes", keys.outcomes(partition)));
    call.arg("claim", claim.text())
        .arg("following", outcome.following().map(f -> f.attempt().member()).orElse(""))
        .arg("due", outcome.following().map(f -> EpochMillis.text(f.due())).orElse(""))
        .arg("counters", counters(attempt, outcome) + streak(outcome))
        .arg("started", outcome.isPerformed() ? IsoInstant.text(outcome.entry().start()) : "")
        .arg("finalState", outcome.finalState().map(JobState::word).orElse(""))
        .arg("ended", outcome.entry().end().toEpochMilli())
        .arg("entry", StoredJson.write(outcome.entry()))
        .arg("bounds", historyBounds(history, now));
    if (outcome.isExclusive() || logEntry.isPresent()) {
      call.arg("overlap", outcome.isExclusive() ? "overlap" : "");
    }
    logEntry.ifPresent(text -> call.arg("execution", text).arg("kept", logRule.bounds(now)));
    return call.runBatched();
  }

  /** How the outcome goes on with the executions in a row that failed. */
  private static String streak(AttemptOutcome outcome) {
    if (outcome.mostFailures().isEmpty()) {
      return "";
    }
    if (outcome.isMainSuccess()) {
      return " =0";
    }
    return outcome.isFaultedEnd() ? " streak=" + outcome.mostFailures().getAsInt() : "";
  }

  /** The counters of the job that an outcome raises. */
  private static String counters(Attempt attempt, AttemptOutcome outcome) {
    if (!outcome.isPerformed()) {
      return outcome.exhausted() ? "skipped faulted" : "skipped";
    }
    String executions = attempt.isFirst() ? "executions" : "";
    String failures = outcome.isMainFailure() ? " failures" : "";
    return outcome.exhausted() ? executions + failures + " faulted" : executions + failures;
  }

  /** Returns a claim whose attempt was not begun. */
  public Future<Void> release(Claim claim, Instant due) {
    return link.persist(() -> releaseAtStop(claim, due));
  }

  /** Returns a claim whose attempt finds no place at its destination: when there is one, sooner. */
  public Future<Void> putOff(Claim claim, Instant due) {
    return link.persist(() -> release(claim, 0, EpochMillis.half(due(claim.attempt(), due))));
  }

  /** Returns a claim of a node that is about to end: fails when Redis is away. */
  public Future<Void> releaseAtStop(Claim claim, Instant now) {
    return release(claim, 0, EpochMillis.text(due(claim.attempt(), now)));
  }

  /** What was claimed at its instant waits for it once more where the clock was set back since. */
  private static Instant due(Attempt attempt, Instant now) {
    return attempt.dueAt().isAfter(now) ? attempt.dueAt() : now;
  }

  /** Returns a claim whose attempt may have been made, marked with one more crash. */
  public Future<Void> releaseCrashed(Claim claim, Instant due) {
    return link.persist(() -> release(claim, 1, EpochMillis.text(due(claim.attempt(), due))));
  }

  private Future<Void> release(Claim claim, int crashes, String due) {
    return release(partition(claim.attempt()), List.of(claim.text()), crashes, due);
  }

  private Future<Void> release(int partition, List<String> claims, int crashes, String due) {
    return RELEASE
        .on(link)
        .key("claims", keys.claims(partition, node))
        .key("due", keys.due(partition))
        .arg("due", due)
        .arg("crashes", crashes)
        .args("claims", claims)
        .runBatched();
  }

  /**
   * Returns claims that Redis has under this node's name but the node does not know of: those of a
   * claim whose answer was lost. A key that holds another type has none: the next claim moves it
   * aside.
   *
   * @param isKnown whether the node knows of a claim
   */
  public Future<Void> releaseUnknown(int partition, Predicate<Claim> isKnown, Instant now) {
    return link.send(Request.cmd(Command.HKEYS).arg(keys.claims(partition, node)))
        .compose(
            claims -> {
              Map<Instant, List<String>> unknown =
                  claims.stream()
                      .map(Objects::toString)
                      .filter(claim -> !isKnown(claim, isKnown))
                      .limit(ClaimStore.SLICE)
                      .collect(Collectors.groupingBy(claim -> due(claim, now)));
              return Future.join(
                  unknown.entrySet().stream()
                      .map(
                          entry ->
                              release(
                                  partition, entry.getValue(), 0, EpochMillis.text(entry.getKey())))
                      .toList());
            })
        .<Void>mapEmpty()
        .recover(
            failure ->
                RedisErrors.isWrongType(failure)
                    ? Future.succeededFuture()
                    : Future.failedFuture(failure));
  }

  private static Instant due(String claim, Instant now) {
    try {
      return due(Claim.parse(claim).attempt(), now);
    } catch (RuntimeException e) {
      return now;
    }
  }

  /** What cannot be understood is nobody's: it waits again, is claimed, and found to be damaged. */
  private static boolean isKnown(String claim, Predicate<Claim> isKnown) {
    try {
      return isKnown.test(Claim.parse(claim));
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** What became of a claim whose attempt was to wait for a flow. */
  public enum Parked {
    /** The attempt waits. */
    PARKED,
    /** The job was changed or deleted since the claim: the attempt is due again. */
    DUE,
    /** This node no longer holds the claim. */
    LOST
  }

  /**
   * Lets a claimed attempt wait for a flow, unless its job was changed meanwhile.
   *
   * @param flow its key
   * @param score the least is first
   * @param storedRevision of the job as it was claimed, see {@link ClaimedAttempt.Job}
   */
  public Future<Parked> park(Claim claim, String flow, long score, String storedRevision) {
    return link.persist(() -> parkOnce(claim, flow, score, storedRevision, clock.instant()));
  }

  private Future<Parked> parkOnce(
      Claim claim, String flow, long score, String storedRevision, Instant now) {
    String job = claim.attempt().job();
    int partition = keys.partition(job);
    return PARK.on(link)
        .key("claims", keys.claims(partition, node))
        .key("waiting", keys.waiting(partition, flow))
        .key("flows", keys.awaitedFlows(partition))
        .key("job", keys.job(partition, job))
        .key("due", keys.due(partition))
        .arg("claim", claim.text())
        .arg("flow", flow)
        .arg("score", score)
        .arg("revision", storedRevision)
        .millis("due", due(claim.attempt(), now))
        .runBatched();
  }

  /**
   * Takes a damaged claim out of the way for good; where its job is damaged, the job is faulted,
   * with an entry in its history.
   */
  public Future<Void> quarantine(int partition, DamagedEntry damaged) {
    return link.persist(() -> quarantineOnce(partition, damaged, clock.instant()));
  }

  private Future<Void> quarantineOnce(int partition, DamagedEntry damaged, Instant now) {
    Script.CallBuilder<Void> call =
        QUARANTINE
            .on(link)
            .key("claims", keys.claims(partition, node))
            .key("quarantine", keys.quarantine(partition))
            .key("finished", keys.finished(partition));
    damaged
        .job()
        .ifPresent(
            job ->
                call.key("job", keys.job(partition, job))
                    .key("jobs", keys.jobs(partition, new JobKey(job).collection()))
                    .key("history", keys.history(partition, job))
                    .key("due", keys.due(partition)));
    return call.arg("claim", damaged.claim())
        .arg("since", now + " " + damaged.reason())
        .arg("name", damaged.job().map(job -> new JobKey(job).name()).orElse(""))
        .arg("entry", StoredJson.write(damaged.entry(now)))
        .arg("bounds", historyBounds(history, now))
        .arg("ended", damaged.job().map(job -> Purge.of(job, now).entry()).orElse(""))
        .run();
  }

  /** Lets a claimed attempt wait for its collection to be enabled, unless it was meanwhile. */
  public Future<Void> holdForCollection(Claim claim) {
    return link.persist(() -> holdForCollectionOnce(claim));
  }

  private Future<Void> holdForCollectionOnce(Claim claim) {
    Attempt attempt = claim.attempt();
    int partition = keys.partition(attempt.job());
    return HOLD_FOR_COLLECTION
        .on(link)
        .key("claims", keys.claims(partition, node))
        .key("held", keys.held(partition, attempt.collection()))
        .key("gates", keys.gates(partition))
        .key("due", keys.due(partition))
        .key("held", keys.held(partition, PauseScope.ofCollection(attempt.collection()).key()))
        .key("held", keys.held(partition, PauseScope.EVERYTHING.key()))
        .arg("claim", claim.text())
        .millis("due", attempt.dueAt())
        .arg("collection", attempt.collection())
        .iso("now", clock.instant())
        .run();
  }

  /** Lets a claimed attempt of a one-time job wait for the job to be enabled, unless it was. */
  public Future<Void> holdForJob(Claim claim) {
    return link.persist(() -> holdForJobOnce(claim, clock.instant()));
  }

  private Future<Void> holdForJobOnce(Claim claim, Instant now) {
    Attempt attempt = claim.attempt();
    int partition = keys.partition(attempt.job());
    return HOLD_FOR_JOB
        .on(link)
        .key("claims", keys.claims(partition, node))
        .key("job", keys.job(partition, attempt.job()))
        .key("due", keys.due(partition))
        .arg("claim", claim.text())
        .millis("due", due(attempt, now))
        .run();
  }

  /**
   * The argument by which a script trims a history: most entries, most bytes, and the instant
   * before which an entry is dropped, as text of fixed width.
   */
  public static String historyBounds(HistorySettings history, Instant now) {
    return history.entries()
        + " "
        + history.bytes()
        + " "
        + Timestamps.formatMillis(now.minus(history.age()));
  }
}
