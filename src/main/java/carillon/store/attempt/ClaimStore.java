package carillon.store.attempt;

import carillon.job.JobKey;
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
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/**
 * Store of what waits in each partition: this node claims it, and it is let wait again when the
 * node that claimed it is dead or its collection is enabled. Each method is safe to repeat after an
 * unknown outcome. Confined to the event loop of its link.
 */
public final class ClaimStore {
  /** Most items that a script takes. */
  public static final int SLICE = 256;

  private static final Script<Response> CLAIM = Script.returning("claim", Function.identity());
  private static final Script<PutOff> FIND_PUT_OFF = Script.returning("find_put_off", PutOff::read);
  private static final Script<Integer> RECOVER = Script.returningCount("recover");
  private static final Script<Integer> RELEASE_HELD = Script.returningCount("release_held");

  private final RedisLink link;
  private final Keys keys;
  private final ClaimReplyReader reader;
  private final String node;
  private final SharedClock clock;
  private final Tokens tokens = new Tokens();

  /**
   * The claims of one node.
   *
   * @param node id of this node, under which it claims
   * @param clock that knows Redis' time
   */
  public ClaimStore(RedisLink link, Keys keys, String node, SharedClock clock) {
    this.link = link;
    this.keys = keys;
    this.reader = new ClaimReplyReader(keys);
    this.node = node;
    this.clock = clock;
  }

  /**
   * The earliest instant (epoch ms) at which something is due in a partition, if anything waits.
   */
  public Future<OptionalLong> nextDue(int partition) {
    return link.send(
            Request.cmd(Command.ZRANGE).arg(keys.due(partition)).arg(0).arg(0).arg("WITHSCORES"))
        .map(ClaimStore::score);
  }

  /** What waits in all partitions. */
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

  /** RESP3 nests member and score in one pair, and gives the score as a double. */
  private static OptionalLong score(Response range) {
    return range.size() == 0
        ? OptionalLong.empty()
        : OptionalLong.of(ClaimReplyReader.reached(range.get(0).get(1).toDouble()));
  }

  /** Takes what is due while no destination is known to be crowded. */
  public Future<ClaimResult> claim(int partition, long dueBy, Instant now, int limit) {
    return claim(partition, dueBy, now, limit, Crowds.NONE);
  }

  /**
   * Takes what is due, and tells what Redis' clock showed then. In a Cluster the clock that counts
   * is in another server, which a claim does not wait for: the node compares its clock with that
   * one by itself.
   *
   * @param dueBy epoch ms; later entries stay
   * @param limit most attempts, 1..256
   * @param crowds what calls them, and finds no place, is put off
   */
  public Future<ClaimResult> claim(
      int partition, long dueBy, Instant now, int limit, Crowds crowds) {
    return claim(partition, keys.due(partition), Long.toString(dueBy), now, limit, crowds);
  }

  /**
   * Takes what waits longest for a flow.
   *
   * @param flow its key
   * @param limit most attempts, 1..256
   */
  public Future<ClaimResult> claimWaiting(int partition, String flow, Instant now, int limit) {
    return claim(partition, keys.waiting(partition, flow), "+inf", now, limit, Crowds.NONE);
  }

  /** Some of what waits in a partition for a place at its destination, and is not due. */
  public Future<PutOff> findPutOff(int partition, Instant now) {
    return FIND_PUT_OFF
        .on(link)
        .key("due", keys.due(partition))
        .millis("now", now)
        .arg("prefix", keys.jobPrefix(partition))
        .run();
  }

  private Future<ClaimResult> claim(
      int partition, String list, String dueBy, Instant now, int limit, Crowds crowds) {
    String token = tokens.next();
    long asked = clock.ask();
    Future<Response> taken =
        CLAIM
            .on(link)
            .key("due", list)
            .key("claims", keys.claims(partition, node))
            .key("epochs", keys.epochs(partition))
            .key("gates", keys.gates(partition))
            .arg("due_by", dueBy)
            .iso("now", now)
            .arg("limit", limit)
            .arg("prefix", keys.jobPrefix(partition))
            .arg("token", token)
            .arg("put_off_after", Double.toString(crowds.putOffAfter()))
            .arg("put_off_by", crowds.putOffBy())
            .args("crowded", crowds.arguments())
            .run();
    return shown(asked, now)
        .compose(at -> taken.map(reply -> reader.read(partition, token, at, reply)));
  }

  /** What Redis' clock shows after the command that was sent before. */
  private Future<Long> shown(long asked, Instant now) {
    return link.isSharded()
        ? Future.succeededFuture(now.toEpochMilli())
        : link.time().map(micros -> clock.check(asked, micros));
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
   * Lets the claims of a node wait again that was found to be dead at an instant. Should it have
   * come back before Redis gets this, what it has claimed since is its own.
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

  /** Whether a node has claims, in any partition. */
  public Future<Boolean> hasClaims(String holder) {
    return Partitions.all(
            keys, p -> link.send(Request.cmd(Command.EXISTS).arg(keys.claims(p, holder))))
        .map(all -> all.stream().anyMatch(answer -> answer.toInteger() > 0));
  }

  /**
   * Lets what waited for a disabled collection go.
   *
   * @return how many were moved; fewer than {@link #SLICE} means that none is left
   */
  public Future<Integer> releaseHeld(int partition, String collection, Instant now) {
    return release(partition, keys.held(partition, collection), "instants", now);
  }

  /** Lets what waited for the flow with this key go, as {@link #releaseHeld} does. */
  public Future<Integer> releaseWaiting(int partition, String flow, Instant now) {
    return release(partition, keys.waiting(partition, flow), "", now);
  }

  private Future<Integer> release(int partition, String held, String scores, Instant now) {
    return RELEASE_HELD
        .on(link)
        .key("held", held)
        .key("due", keys.due(partition))
        .millis("now", now)
        .arg("limit", SLICE)
        .arg("scores", scores)
        .run();
  }

  /** Names what one poll claims, so that no later poll of this node is taken for it. */
  private static final class Tokens {
    private static final int RADIX = 36;

    private final String start =
        Integer.toString(ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE), RADIX) + "-";
    private long polls;

    String next() {
      return start + Long.toString(polls++, RADIX);
    }
  }

  /**
   * What one poll of a partition brought.
   *
   * @param attempts taken, oldest first
   * @param damaged taken, and not to be understood
   * @param resumed jobs whose pause is over
   * @param next epoch millisecond of the earliest entry that was left, if any
   * @param crowds what it met of them
   * @param at what Redis' clock showed after it, epoch ms: what waited for a later instant was
   *     taken too early, since that clock was set back meanwhile
   */
  public record ClaimResult(
      List<ClaimedAttempt> attempts,
      List<DamagedEntry> damaged,
      List<JobKey> resumed,
      OptionalLong next,
      Crowds.Seen crowds,
      long at) {}

  /**
   * What was put off in a partition.
   *
   * @param until so far it was seen, epoch ms; 0 where there is none
   * @param uris what some of its jobs call, one for each scheme, host and port, at most 32
   */
  public record PutOff(double until, List<String> uris) {
    static PutOff read(Response reply) {
      List<String> all = reply.stream().map(Response::toString).toList();
      String until = all.get(0);
      return new PutOff(until.isEmpty() ? 0 : EpochMillis.score(until), all.subList(1, all.size()));
    }
  }

  /**
   * What waits in Redis for an instant, in all partitions together.
   *
   * @param overdue entries whose instant has passed: nobody has claimed them yet
   * @param waiting all entries
   * @param earliest instant of the entry that is due first, epoch ms
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
