package carillon.store.attempt;

import carillon.config.Settings.ExecutionsSettings;
import carillon.config.Settings.HistorySettings;
import carillon.flow.FlowLane;
import carillon.job.AttemptRecord.Source;
import carillon.job.OccurrencePolicy.Overlap;
import carillon.job.action.Destination;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.Claim;
import carillon.job.name.IsoInstant;
import carillon.job.name.JobKey;
import carillon.job.name.JobState;
import carillon.json.StoredJson;
import carillon.json.text.Timestamps;
import carillon.redis.EpochMillis;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import carillon.redis.SharedClock;
import carillon.redis.route.RedisErrors;
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
 * Store of claimed attempts: schedules their next occurrences, and finishes, releases, parks or
 * holds them.
 *
 * <p>Each method runs one script in one partition. It is safe to repeat after an unknown outcome.
 * Unless a method says otherwise, it repeats the script while Redis is unavailable. Its future then
 * fails only for other reasons, or when the link was closed. Confined to the event loop of its
 * link.
 */
public final class AttemptStore {
  private static final Script<Scheduled> SCHEDULE_NEXT =
      Script.returningWord("schedule_next", Scheduled.class);
  private static final Script<Begun> BEGIN_ATTEMPT =
      Script.returningWord("begin_attempt", Begun.class);
  private static final Script<Finished> FINISH = Script.returningWord("finish", Finished.class);
  private static final Script<Void> RELEASE = Script.returningNothing("release");
  private static final Script<Void> DEFER = Script.returningNothing("defer");
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
   * Creates the store of one node.
   *
   * @param node id of this node, the owner of its claims
   * @param clock source of Redis' time
   * @param history bounds of the history of each job
   * @param executions settings of the log of attempts
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

  /** Returns the partition of an attempt. */
  public int partition(Attempt attempt) {
    return keys.partition(attempt.job());
  }

  /** Result of {@link #scheduleNext}. */
  public enum Scheduled {
    /** The next occurrence waits. The claim now holds {@link NextOccurrence#moved}. */
    SCHEDULED,
    /**
     * The job was changed in the meantime, or its next occurrence waits already. The claim still
     * holds its own occurrence.
     */
    STALE,
    /**
     * Like {@link #SCHEDULED}, but the claimed occurrence is not performed: another execution is
     * under way.
     */
    OVERLAP,
    /**
     * Like {@link #STALE}, but the claimed occurrence is not performed: another execution is under
     * way.
     */
    STALE_OVERLAP,
    /**
     * The next occurrence waits. The claim was released, and its occurrence waits for the end of
     * another execution.
     */
    BUFFERED,
    /** The node no longer holds the claim. */
    LOST
  }

  /**
   * Enqueues the next occurrence and records the missed ones.
   *
   * @param overlap overlap rule of the job, if the claimed occurrence is to be performed; empty if
   *     executions may overlap
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
    Script.CallBuilder<Scheduled> call =
        SCHEDULE_NEXT
            .on(link)
            .key("job", keys.job(partition, job))
            .key("due", keys.due(partition))
            .key("claims", keys.claims(partition, node))
            .key("history", keys.history(partition, job))
            .arg("claim", claim.text())
            .arg("moved", claim.of(next.moved()).text())
            .arg("revision", attempt.revision())
            .iso("nominal", attempt.dueAt())
            .arg("next", next.at().map(Instant::toString).orElse(""))
            .arg("due", next.due().map(EpochMillis::text).orElse(""))
            .arg("occurrence", next.number())
            .arg("skipped", next.skipped())
            .arg("entry", next.entry().map(StoredJson::write).orElse(""))
            .arg("bounds", historyBounds(history, now));
    boolean isLast = next.fate() == Fate.LAST;
    if (next.local().isPresent() || isLast || overlap.isPresent()) {
      call.arg("local", next.local().orElse("")).arg("last", isLast ? "last" : "");
    }
    overlap.ifPresent(it -> call.arg("room", it.room()).millis("movedAt", next.moved().dueAt()));
    return call.runBatched();
  }

  /** Result of {@link #begin}. */
  public enum Begun {
    /** The attempt may begin. */
    BEGUN,
    /** The attempt must not begin: its occurrence was due while another execution was under way. */
    OVERLAP,
    /** The attempt must not begin: the job was changed after its execution began. */
    CHANGED,
    /** The node no longer holds the claim. */
    LOST
  }

  /**
   * Records that an attempt is about to begin. Only for jobs whose executions must not overlap. If
   * a next occurrence must be scheduled, {@link #scheduleNext} does this too.
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

  /** Result of {@link #finish}. */
  public enum Finished {
    /** Recorded. The following attempt waits, if there is one. */
    DONE,
    /** Recorded. The job has reached its limit of consecutive failed executions. */
    TOO_MANY_FAILURES,
    /** Recorded. An execution that waited for the end of this one is due. */
    RELEASED,
    /** Recorded. The job is completed. */
    COMPLETED,
    /** Recorded. The job is faulted. */
    FAULTED,
    /** The job was deleted. The claim has ended. */
    GONE,
    /** The node no longer held the claim. Nothing is recorded. */
    LOST
  }

  /**
   * Records an outcome. A repeat changes nothing, nor does the result of a lost claim.
   *
   * @param steps notified if this fails for a long time
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
        .arg("counters", counters(attempt, outcome))
        .arg("started", outcome.isPerformed() ? IsoInstant.text(outcome.entry().start()) : "")
        .arg("finalState", outcome.finalState().map(JobState::word).orElse(""))
        .arg("ended", outcome.entry().end().toEpochMilli())
        .arg("entry", StoredJson.write(outcome.entry()))
        .arg("bounds", historyBounds(history, now));
    String mostFailures = mostFailures(outcome);
    if (outcome.isExclusive() || !mostFailures.isEmpty() || logEntry.isPresent()) {
      call.arg("overlap", outcome.isExclusive() ? "overlap" : "").arg("mostFailures", mostFailures);
    }
    logEntry.ifPresent(text -> call.arg("execution", text).arg("kept", logRule.bounds(now)));
    return call.runBatched();
  }

  /**
   * Returns the limit of consecutive failed executions if the outcome counts towards it, 0 if it
   * resets the count, else empty text.
   */
  private static String mostFailures(AttemptOutcome outcome) {
    if (outcome.mostFailures().isEmpty()) {
      return "";
    }
    if (outcome.isMainSuccess()) {
      return "0";
    }
    return outcome.isFaultedEnd() ? Integer.toString(outcome.mostFailures().getAsInt()) : "";
  }

  /** Returns the names of the job's counters that an outcome increments. */
  private static String counters(Attempt attempt, AttemptOutcome outcome) {
    if (!outcome.isPerformed()) {
      return outcome.exhausted() ? "skipped faulted" : "skipped";
    }
    String executions = attempt.isFirst() ? "executions" : "";
    String failures = outcome.isMainFailure() ? " failures" : "";
    return outcome.exhausted() ? executions + failures + " faulted" : executions + failures;
  }

  /** Returns a claim whose attempt did not begin. */
  public Future<Void> release(Claim claim, Instant due) {
    return link.persist(() -> releaseAtStop(claim, due));
  }

  /**
   * Returns a claim whose attempt finds no place at its destination. It is due again at an instant.
   *
   * @param index destination at which a claim may find it earlier, if a place becomes free; empty
   *     for an attempt that passes a flow
   */
  public Future<Void> defer(Claim claim, Instant due, Optional<Destination> index) {
    return link.persist(() -> deferOnce(claim, due, index));
  }

  private Future<Void> deferOnce(Claim claim, Instant due, Optional<Destination> index) {
    int partition = partition(claim.attempt());
    return DEFER
        .on(link)
        .key("claims", keys.claims(partition, node))
        .key("due", keys.due(partition))
        .arg("claim", claim.text())
        .millis("due", due(claim.attempt(), due))
        .arg("authority", index.map(Destination::authority).orElse(""))
        .runBatched();
  }

  /** Returns a claim of a node that is about to stop; fails if Redis is unavailable. */
  public Future<Void> releaseAtStop(Claim claim, Instant now) {
    return release(claim, 0, EpochMillis.text(due(claim.attempt(), now)));
  }

  /**
   * Returns when a released attempt is due: now, or at its own instant if the clock was set back
   * before that.
   */
  private static Instant due(Attempt attempt, Instant now) {
    return attempt.dueAt().isAfter(now) ? attempt.dueAt() : now;
  }

  /** Returns a claim whose attempt may have been made, with its crash count incremented. */
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
   * Returns claims that Redis lists for this node but the node does not know. They come from a
   * claim whose answer was lost. A key of another type counts as empty: the next claim moves it
   * aside.
   *
   * @param isKnown whether the node knows a claim
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

  /**
   * Whether the node knows a claim. An unreadable claim is unknown: it waits again, and the node
   * that claims it finds the damage.
   */
  private static boolean isKnown(String claim, Predicate<Claim> isKnown) {
    try {
      return isKnown.test(Claim.parse(claim));
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** Result of parking a claimed attempt. */
  public enum Parked {
    /** The attempt waits for the flow. */
    PARKED,
    /** The reason to wait is gone: the attempt is due again. */
    DUE,
    /** The node no longer holds the claim. */
    LOST
  }

  /**
   * Parks a claimed attempt in the list of a flow. If its job was changed since the claim, the
   * attempt is due again instead.
   *
   * @param score order of the waiting attempts, the least first
   * @param storedRevision revision of the job when it was claimed, see {@link ClaimedAttempt.Job}
   */
  public Future<Parked> parkForFlow(Claim claim, FlowLane lane, long score, String storedRevision) {
    return link.persist(() -> park(claim, WaitingList.ofFlow(lane), score, storedRevision));
  }

  /**
   * Moves a claimed attempt to the waiting list of a disabled collection, unless another marker, or
   * none, disables the collection by now.
   *
   * @param marker key of the widest marker that disables the collection
   */
  public Future<Parked> parkForCollection(Claim claim, String marker) {
    long nominal = EpochMillis.of(claim.attempt().dueAt());
    return link.persist(() -> park(claim, WaitingList.ofCollection(marker), nominal, ""));
  }

  private Future<Parked> park(Claim claim, WaitingList list, long score, String storedRevision) {
    Instant now = clock.instant();
    String job = claim.attempt().job();
    int partition = keys.partition(job);
    return PARK.on(link)
        .key("claims", keys.claims(partition, node))
        .key("list", keys.list(partition, list.key()))
        .key("lists", keys.lists(partition))
        .key("due", keys.due(partition))
        .key("job", keys.job(partition, job))
        .key("gates", keys.gates(partition))
        .arg("claim", claim.text())
        .arg("cause", list.key())
        .arg("score", score)
        .arg("revision", storedRevision)
        .iso("now", now)
        .millis("due", due(claim.attempt(), now))
        .runBatched();
  }

  /**
   * Moves a damaged claim into quarantine. If its job is damaged, also marks the job as faulted,
   * with a history entry.
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

  /**
   * Holds a claimed attempt of a one-time job until the job is enabled. If that has happened
   * already, the attempt is due again.
   */
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
   * Returns the script argument that bounds a history: maximum number of entries, maximum bytes,
   * and the oldest instant. The instant is text of fixed width.
   */
  public static String historyBounds(HistorySettings history, Instant now) {
    return history.entries()
        + " "
        + history.bytes()
        + " "
        + Timestamps.formatMillis(now.minus(history.age()));
  }
}
