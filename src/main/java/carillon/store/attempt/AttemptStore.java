package carillon.store.attempt;

import carillon.job.Attempt;
import carillon.job.Claim;
import carillon.job.JobState;
import carillon.json.StoredJson;
import carillon.redis.EpochMillis;
import carillon.redis.Keys;
import carillon.redis.LuaScript;
import carillon.redis.RedisLink;
import carillon.redis.SharedClock;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The life of runs: claimed, armed, finished, handed back, recovered. Each method is one script in
 * one partition and safe to repeat after an unknown outcome. Confined to the event loop of its
 * link.
 */
public final class AttemptStore {
  /** Most items that a script takes. */
  public static final int SLICE = 256;

  private static final LuaScript CLAIM = LuaScript.named("claim");
  private static final LuaScript ARM = LuaScript.named("arm");
  private static final LuaScript FINISH = LuaScript.named("finish");
  private static final LuaScript HAND_BACK = LuaScript.named("hand_back");
  private static final LuaScript RECOVER = LuaScript.named("recover");
  private static final LuaScript PARK = LuaScript.named("park");
  private static final LuaScript WITHHOLD = LuaScript.named("withhold");
  private static final LuaScript QUARANTINE = LuaScript.named("quarantine");
  private static final LuaScript UNPARK = LuaScript.named("unpark");

  private final RedisLink link;
  private final Keys keys;
  private final ClaimReplyReader reader;
  private final String node;
  private final SharedClock clock;
  private final HistoryBounds bounds;
  private final Duration keepFinished;
  private final Tokens tokens = new Tokens();

  /**
   * The runs of one node.
   *
   * @param node id of this node, under which it claims
   * @param clock that knows Redis' time
   * @param bounds of every job's history
   * @param keepFinished how long a completed or faulted job is kept
   */
  public AttemptStore(
      RedisLink link,
      Keys keys,
      String node,
      SharedClock clock,
      HistoryBounds bounds,
      Duration keepFinished) {
    this.link = link;
    this.keys = keys;
    this.reader = new ClaimReplyReader(keys);
    this.node = node;
    this.clock = clock;
    this.bounds = bounds;
    this.keepFinished = keepFinished;
  }

  /** The partition that a run lives in. */
  public int partition(Attempt attempt) {
    return keys.partition(attempt.job());
  }

  /**
   * The earliest instant (epoch ms) at which something is due in a partition, if anything waits.
   */
  public Future<OptionalLong> nextDue(int partition) {
    return link.send(
            Request.cmd(Command.ZRANGE).arg(keys.due(partition)).arg(0).arg(0).arg("WITHSCORES"))
        .map(AttemptStore::score);
  }

  /** What waits in all partitions. */
  public Future<Backlog> backlog(Instant now) {
    List<Future<Backlog>> all =
        IntStream.range(0, keys.partitions()).mapToObj(p -> backlog(p, now)).toList();
    return Future.all(all)
        .map(read -> read.<Backlog>list().stream().reduce(Backlog.NONE, Backlog::plus));
  }

  private Future<Backlog> backlog(int partition, Instant now) {
    String due = keys.due(partition);
    Future<Response> overdue =
        link.send(Request.cmd(Command.ZCOUNT).arg(due).arg("-inf").arg(EpochMillis.text(now)));
    Future<Response> waiting = link.send(Request.cmd(Command.ZCARD).arg(due));
    return Future.all(overdue, waiting, nextDue(partition))
        .map(
            read ->
                new Backlog(
                    overdue.result().toLong(), waiting.result().toLong(), read.resultAt(2)));
  }

  /** RESP3 nests member and score in one pair, and gives the score as a double. */
  private static OptionalLong score(Response range) {
    return range.size() == 0 ? OptionalLong.empty() : OptionalLong.of(range.get(0).get(1).toLong());
  }

  /**
   * Takes what is due, and tells what Redis' clock showed then. In a Cluster the clock that counts
   * is in another server, which a claim does not wait for: the node compares its clock with that
   * one by itself.
   *
   * @param dueBy epoch ms; later entries stay
   * @param limit most runs, 1..256
   */
  public Future<ClaimResult> claim(int partition, long dueBy, Instant now, int limit) {
    String token = tokens.next();
    long asked = clock.ask();
    Future<Response> taken =
        link.eval(
            CLAIM,
            List.of(
                keys.due(partition),
                keys.claims(partition, node),
                keys.epochs(partition),
                keys.gates(partition)),
            List.of(
                Long.toString(dueBy),
                now.toString(),
                Integer.toString(limit),
                keys.jobPrefix(partition),
                token));
    return shown(asked, now)
        .compose(at -> taken.map(reply -> reader.read(partition, token, at, reply)));
  }

  /** What Redis' clock shows after the command that was sent before. */
  private Future<Long> shown(long asked, Instant now) {
    return link.isSharded()
        ? Future.succeededFuture(now.toEpochMilli())
        : link.time().map(micros -> clock.check(asked, micros));
  }

  /** What became of a claim when the next occurrence was to be armed. */
  public enum Armed {
    /** The next occurrence waits, and the claim stands for {@link NextOccurrence#moved}. */
    ARMED,
    /**
     * The job was changed meanwhile; the claim stands for {@link NextOccurrence#attempt} as before.
     */
    STALE,
    /** This node no longer holds the claim. */
    LOST
  }

  /** Lets the next occurrence wait, and records the missed ones. */
  public Future<Armed> arm(Claim claim, NextOccurrence arming, long revision, Instant now) {
    String job = arming.attempt().job();
    int partition = keys.partition(job);
    List<String> arguments =
        List.of(
            claim.text(),
            claim.of(arming.moved()).text(),
            Long.toString(revision),
            arming.attempt().dueAt().toString(),
            arming.next().map(Instant::toString).orElse(""),
            arming.next().map(EpochMillis::text).orElse(""),
            Integer.toString(arming.attempt().occurrence() + 1),
            Long.toString(arming.skipped()),
            arming.entry().map(StoredJson::write).orElse(""));
    return link.eval(
            ARM,
            List.of(
                keys.job(partition, job),
                keys.due(partition),
                keys.claims(partition, node),
                keys.history(partition, job)),
            with(arguments, bounds.arguments(now)))
        .map(word -> Armed.valueOf(word.toString()));
  }

  private static List<String> with(List<String> first, List<String> then) {
    return Stream.concat(first.stream(), then.stream()).toList();
  }

  /**
   * Records an outcome; a repeat, or the result of a claim that this node has lost, changes
   * nothing.
   *
   * @return LOST, GONE, DONE, or the final state of the job, as the script says
   */
  public Future<String> finish(Claim claim, AttemptOutcome outcome, Instant now) {
    Attempt attempt = outcome.attempt();
    int partition = keys.partition(attempt.job());
    List<String> arguments =
        List.of(
            claim.text(),
            outcome.following().map(f -> f.attempt().member()).orElse(""),
            outcome.following().map(f -> EpochMillis.text(f.due())).orElse(""),
            flag(attempt.isFirst() && outcome.isPerformed()),
            flag(outcome.isMainFailure()),
            flag(outcome.exhausted()),
            flag(!outcome.isPerformed()),
            outcome.isPerformed() ? outcome.entry().start().toString() : "",
            outcome.once().map(JobState::word).orElse(""),
            EpochMillis.text(now.plus(keepFinished)),
            StoredJson.write(outcome.entry()));
    return link.eval(
            FINISH,
            List.of(
                keys.claims(partition, node),
                keys.job(partition, attempt.job()),
                keys.due(partition),
                keys.history(partition, attempt.job()),
                keys.jobs(partition, attempt.collection()),
                keys.purges(partition)),
            with(arguments, bounds.arguments(now)))
        .map(Response::toString);
  }

  private static String flag(boolean on) {
    return on ? "1" : "0";
  }

  /** Returns a claim whose attempt was not begun. */
  public Future<Void> handBack(Claim claim, Instant now) {
    return handBack(partition(claim.attempt()), List.of(claim.text()), 0, due(claim.attempt(), now))
        .mapEmpty();
  }

  /** What was claimed at its instant waits for it once more where the clock was set back since. */
  private static Instant due(Attempt attempt, Instant now) {
    return attempt.dueAt().isAfter(now) ? attempt.dueAt() : now;
  }

  /** Returns a claim whose attempt may have been made, marked with one more crash. */
  public Future<Void> handBackCrashed(Claim claim, Instant now) {
    return handBack(partition(claim.attempt()), List.of(claim.text()), 1, due(claim.attempt(), now))
        .mapEmpty();
  }

  private Future<Response> handBack(int partition, List<String> claims, int crashes, Instant now) {
    return link.eval(
        HAND_BACK,
        List.of(keys.claims(partition, node), keys.due(partition)),
        with(List.of(EpochMillis.text(now), Integer.toString(crashes)), claims));
  }

  /**
   * Returns claims that Redis has under this node's name but the node does not know of: those of a
   * claim whose answer was lost.
   *
   * @param held the claims that the node knows of
   */
  public Future<Void> handBackUnknown(int partition, Predicate<Claim> held, Instant now) {
    return link.send(Request.cmd(Command.HKEYS).arg(keys.claims(partition, node)))
        .compose(
            claims -> {
              Map<Instant, List<String>> unknown =
                  claims.stream()
                      .map(Objects::toString)
                      .filter(claim -> !isHeld(claim, held))
                      .limit(SLICE)
                      .collect(Collectors.groupingBy(claim -> due(claim, now)));
              return Future.join(
                  unknown.entrySet().stream()
                      .map(entry -> handBack(partition, entry.getValue(), 0, entry.getKey()))
                      .toList());
            })
        .mapEmpty();
  }

  private static Instant due(String claim, Instant now) {
    try {
      return due(Claim.parse(claim).attempt(), now);
    } catch (RuntimeException e) {
      return now;
    }
  }

  /** What cannot be understood is nobody's: it waits again, is claimed, and found to be damaged. */
  private static boolean isHeld(String claim, Predicate<Claim> held) {
    try {
      return held.test(Claim.parse(claim));
    } catch (RuntimeException e) {
      return false;
    }
  }

  /**
   * Takes a damaged claim out of the way for good; where its job is damaged, the job is faulted,
   * with an entry in its history.
   */
  public Future<Void> quarantine(int partition, DamagedEntry damaged, Instant now) {
    List<String> scriptKeys =
        new ArrayList<>(
            List.of(
                keys.claims(partition, node), keys.quarantine(partition), keys.purges(partition)));
    damaged
        .job()
        .ifPresent(
            job ->
                scriptKeys.addAll(
                    List.of(
                        keys.job(partition, job),
                        keys.jobs(partition, Keys.collectionOf(job)),
                        keys.history(partition, job))));
    List<String> arguments =
        List.of(
            damaged.claim(),
            now + " " + damaged.reason(),
            damaged.job().map(job -> job.substring(job.lastIndexOf('/') + 1)).orElse(""),
            StoredJson.write(DamageDiagnosis.entry(damaged, now)));
    return link.eval(QUARANTINE, scriptKeys, with(arguments, bounds.arguments(now))).mapEmpty();
  }

  /**
   * Lets all claims of a node wait again, which is dead and cannot come back.
   *
   * @return how many were moved; fewer than {@link #SLICE} means that none is left
   */
  public Future<Integer> recover(int partition, String deadNode, Instant now) {
    return recover(partition, deadNode, "", now);
  }

  /**
   * The same for a node that was found to be dead at an instant. Should it have come back before
   * Redis gets this, what it has claimed since is its own.
   */
  public Future<Integer> recover(int partition, String deadNode, Instant judged, Instant now) {
    return recover(partition, deadNode, judged.toString(), now);
  }

  private Future<Integer> recover(int partition, String deadNode, String judged, Instant now) {
    return link.eval(
            RECOVER,
            List.of(keys.claims(partition, deadNode), keys.due(partition)),
            List.of(EpochMillis.text(now), Integer.toString(SLICE), judged))
        .map(Response::toInteger);
  }

  /** Whether a node has claims, in any partition. */
  public Future<Boolean> hasClaims(String holder) {
    List<Future<Response>> asked =
        IntStream.range(0, keys.partitions())
            .mapToObj(p -> link.send(Request.cmd(Command.EXISTS).arg(keys.claims(p, holder))))
            .toList();
    return Future.all(asked)
        .map(all -> asked.stream().anyMatch(answer -> answer.result().toInteger() > 0));
  }

  /** Lets a claimed run wait for the gate of its collection, unless that was opened meanwhile. */
  public Future<Void> park(Claim claim) {
    Attempt attempt = claim.attempt();
    int partition = keys.partition(attempt.job());
    return link.eval(
            PARK,
            List.of(
                keys.claims(partition, node),
                keys.gated(partition, attempt.collection()),
                keys.gates(partition),
                keys.due(partition)),
            List.of(claim.text(), EpochMillis.text(attempt.dueAt()), attempt.collection()))
        .mapEmpty();
  }

  /** Lets a claimed run of a one-time job wait for it to be enabled, unless it was meanwhile. */
  public Future<Void> withhold(Claim claim, Instant now) {
    Attempt attempt = claim.attempt();
    int partition = keys.partition(attempt.job());
    return link.eval(
            WITHHOLD,
            List.of(
                keys.claims(partition, node),
                keys.job(partition, attempt.job()),
                keys.due(partition)),
            List.of(claim.text(), EpochMillis.text(due(attempt, now))))
        .mapEmpty();
  }

  /**
   * Lets what waited for a gate go.
   *
   * @return how many were moved; fewer than {@link #SLICE} means that none is left
   */
  public Future<Integer> unpark(int partition, String collection, Instant now) {
    return link.eval(
            UNPARK,
            List.of(keys.gated(partition, collection), keys.due(partition)),
            List.of(EpochMillis.text(now), Integer.toString(SLICE)))
        .map(Response::toInteger);
  }

  /** Names what one look claims, so that no later look of this node is taken for it. */
  private static final class Tokens {
    private static final int RADIX = 36;

    private final String start =
        Integer.toString(ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE), RADIX) + "-";
    private long looks;

    String next() {
      return start + Long.toString(looks++, RADIX);
    }
  }
}
