package carillon.store.attempt;

import carillon.job.action.Destination;
import carillon.job.name.JobKey;
import carillon.redis.EpochMillis;
import carillon.redis.Keys;
import carillon.redis.Partitions;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import carillon.redis.SharedClock;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/**
 * Store of the waiting attempts in each partition. This node claims them here, and makes attempts
 * of dead nodes and of enabled collections due again. Each method is safe to repeat after an
 * unknown outcome. Confined to the event loop of its link.
 */
public final class ClaimStore {
  /** Maximum number of items that a script takes. */
  public static final int SLICE = 256;

  private static final Script<Response> CLAIM_DUE =
      Script.returning("claim_due", Function.identity());
  private static final Script<Response> CLAIM_LIST =
      Script.returning("claim_list", Function.identity());
  private static final Script<Response> CLAIM_DEFERRED =
      Script.returning("claim_deferred", Function.identity());
  private static final Script<Integer> RECOVER = Script.returningCount("recover");

  private final RedisLink link;
  private final Keys keys;
  private final ClaimReplyReader reader;
  private final String node;
  private final SharedClock clock;
  private final Tokens tokens = new Tokens();

  /**
   * Creates the store of one node.
   *
   * @param node id of this node, the owner of its claims
   * @param clock source of Redis' time
   */
  public ClaimStore(RedisLink link, Keys keys, String node, SharedClock clock) {
    this.link = link;
    this.keys = keys;
    this.reader = new ClaimReplyReader(keys);
    this.node = node;
    this.clock = clock;
  }

  /**
   * Returns the earliest instant (epoch ms) at which something is due in a partition, if anything
   * waits.
   */
  public Future<OptionalLong> nextDue(int partition) {
    return link.send(
            Request.cmd(Command.ZRANGE).arg(keys.due(partition)).arg(0).arg(0).arg("WITHSCORES"))
        .map(ClaimStore::score);
  }

  /** Returns the backlog of all partitions. */
  public Future<Backlog> backlog(Instant now) {
    return Partitions.all(keys, p -> backlog(p, now))
        .map(all -> all.stream().reduce(Backlog.NONE, Backlog::plus));
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

  /**
   * Returns the score of the first entry. RESP3 nests member and score in a pair, and the score is
   * a double.
   */
  private static OptionalLong score(Response range) {
    return range.size() == 0
        ? OptionalLong.empty()
        : OptionalLong.of((long) range.get(0).get(1).toDouble().doubleValue());
  }

  /** Claims due entries while no destination is crowded. */
  public Future<ClaimResult> claim(int partition, long dueBy, Instant now, int limit) {
    return claim(partition, dueBy, now, limit, List.of());
  }

  /**
   * Claims due entries and reads Redis' clock after that. In a Cluster, another server has the
   * authoritative clock, and a claim does not wait for it. The node compares its clock with that
   * one separately.
   *
   * @param dueBy epoch ms; later entries stay
   * @param limit maximum number of attempts, 1..256
   * @param crowded destinations whose calls are deferred if they find no place, at most 16
   */
  public Future<ClaimResult> claim(
      int partition, long dueBy, Instant now, int limit, List<CrowdedDestination> crowded) {
    String token = tokens.next();
    long asked = clock.ask();
    Future<Response> taken =
        CLAIM_DUE
            .on(link)
            .key("due", keys.due(partition))
            .key("claims", keys.claims(partition, node))
            .key("epochs", keys.epochs(partition))
            .key("gates", keys.gates(partition))
            .arg("due_by", dueBy)
            .iso("now", now)
            .arg("limit", limit)
            .arg("prefix", keys.jobPrefix(partition))
            .arg("token", token)
            .args("crowded", crowded.stream().flatMap(CrowdedDestination::arguments).toList())
            .run();
    return result(partition, token, asked, now, taken);
  }

  /**
   * Claims the first attempts of a waiting list.
   *
   * @param limit most attempts, 1..256
   */
  public Future<ClaimResult> claimList(int partition, WaitingList list, Instant now, int limit) {
    String token = tokens.next();
    long asked = clock.ask();
    Future<Response> taken =
        CLAIM_LIST
            .on(link)
            .key("list", keys.list(partition, list.key()))
            .key("lists", keys.lists(partition))
            .key("claims", keys.claims(partition, node))
            .key("epochs", keys.epochs(partition))
            .key("gates", keys.gates(partition))
            .arg("cause", list.key())
            .iso("now", now)
            .arg("limit", limit)
            .arg("prefix", keys.jobPrefix(partition))
            .arg("token", token)
            .run();
    return result(partition, token, asked, now, taken);
  }

  private Future<ClaimResult> result(
      int partition, String token, long asked, Instant now, Future<Response> taken) {
    return shown(asked, now)
        .compose(at -> taken.map(reply -> reader.read(partition, token, at, reply)));
  }

  /**
   * Claims deferred calls before their instant, because their destinations have places.
   *
   * @param limit maximum number of attempts, 1..256
   */
  public Future<DeferredResult> claimDeferred(
      int partition, Instant now, int limit, List<DeferredCalls> calls) {
    String token = tokens.next();
    long asked = clock.ask();
    Future<Response> taken =
        CLAIM_DEFERRED
            .on(link)
            .key("due", keys.due(partition))
            .key("claims", keys.claims(partition, node))
            .key("epochs", keys.epochs(partition))
            .key("gates", keys.gates(partition))
            .millis("due_by", now)
            .iso("now", now)
            .arg("limit", limit)
            .arg("prefix", keys.jobPrefix(partition))
            .arg("token", token)
            .args("destinations", calls.stream().flatMap(DeferredCalls::arguments).toList())
            .run();
    return shown(asked, now)
        .compose(at -> taken.map(reply -> reader.readDeferred(partition, token, at, reply)));
  }

  /** Returns the destinations with deferred calls in a partition. */
  public Future<List<Destination>> deferrals(int partition) {
    return link.send(Request.cmd(Command.ZRANGE).arg(keys.deferrals(partition)).arg(0).arg(-1))
        .map(
            all ->
                all.stream()
                    .map(Response::toString)
                    .map(Destination::ofAuthority)
                    .flatMap(Optional::stream)
                    .toList());
  }

  /** Returns Redis' time after the previous command. */
  private Future<Long> shown(long asked, Instant now) {
    return link.isSharded()
        ? Future.succeededFuture(now.toEpochMilli())
        : link.time().map(micros -> clock.check(asked, micros));
  }

  /**
   * Makes all claims of a dead node due again. The node must not be able to come back.
   *
   * @return how many were moved; fewer than {@link #SLICE} means that none is left
   */
  public Future<Integer> recover(int partition, String deadNode, Instant now) {
    return recover(partition, deadNode, "", now);
  }

  /**
   * Makes a node's claims due again, after the node was judged dead at an instant. The node keeps
   * its later claims: it made them after it came back.
   */
  public Future<Integer> recover(int partition, String deadNode, Instant judged, Instant now) {
    return recover(partition, deadNode, judged.toString(), now);
  }

  private Future<Integer> recover(int partition, String deadNode, String judged, Instant now) {
    return RECOVER
        .on(link)
        .key("claims", keys.claims(partition, deadNode))
        .key("due", keys.due(partition))
        .millis("due", now)
        .arg("limit", SLICE)
        .arg("judged", judged)
        .run();
  }

  /** Whether a node has claims in any partition. */
  public Future<Boolean> hasClaims(String holder) {
    return Partitions.all(
            keys, p -> link.send(Request.cmd(Command.EXISTS).arg(keys.claims(p, holder))))
        .map(all -> all.stream().anyMatch(answer -> answer.toInteger() > 0));
  }

  /** Source of a token for each poll, so that no later poll of this node is mistaken for it. */
  private static final class Tokens {
    private static final int RADIX = 36;

    private final String start =
        Integer.toString(ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE), RADIX) + "-";
    private long polls;

    String next() {
      return start + Long.toString(polls++, RADIX);
    }
  }

  /** Answer to a claim. */
  public interface ClaimReply {
    /** Claimed attempts, oldest first. */
    List<ClaimedAttempt> attempts();

    /** Claimed entries that cannot be read. */
    List<DamagedEntry> damaged();

    /**
     * Redis' time after the claim, epoch ms. An attempt with a later instant was claimed too early,
     * because the clock was set back.
     */
    long at();
  }

  /**
   * Result of one poll of a partition.
   *
   * @param resumed jobs whose pause is over
   * @param releases of parked attempts, to be made
   * @param next epoch millisecond of the earliest remaining entry, if any
   * @param crowded counts of each crowded destination
   */
  public record ClaimResult(
      List<ClaimedAttempt> attempts,
      List<DamagedEntry> damaged,
      List<JobKey> resumed,
      List<ParkedRelease> releases,
      OptionalLong next,
      List<CrowdedDestination.Met> crowded,
      long at)
      implements ClaimReply {}

  /**
   * Result of a claim of deferred calls.
   *
   * @param left what is left of each destination that the claim asked for
   */
  public record DeferredResult(
      List<ClaimedAttempt> attempts,
      List<DamagedEntry> damaged,
      List<DeferredCalls.Left> left,
      long at)
      implements ClaimReply {}

  /**
   * Waiting entries of all partitions in Redis.
   *
   * @param overdue number of entries whose instant has passed and that no node has claimed yet
   * @param waiting number of all entries
   * @param earliest instant of the first entry, epoch ms
   */
  public record Backlog(long overdue, long waiting, OptionalLong earliest) {
    static final Backlog NONE = new Backlog(0, 0, OptionalLong.empty());

    Backlog plus(Backlog other) {
      OptionalLong first =
          earliest.isPresent() && other.earliest.isPresent()
              ? OptionalLong.of(Math.min(earliest.getAsLong(), other.earliest.getAsLong()))
              : earliest.isPresent() ? earliest : other.earliest;
      return new Backlog(overdue + other.overdue, waiting + other.waiting, first);
    }
  }
}
