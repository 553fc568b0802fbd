package carillon.store.attempt;

import carillon.job.attempt.Attempt;
import carillon.redis.ConditionalCommands;
import carillon.redis.EpochMillis;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * Store of the {@linkplain WaitingList waiting lists} of each partition: reads waiting attempts,
 * and releases them to {@code due}. {@link AttemptStore#park} fills them, {@link
 * ClaimStore#claimList} claims from them. Each method is safe to repeat after an unknown outcome.
 * Confined to the event loop of its link.
 */
public final class WaitingListStore {
  private static final Script<Integer> RELEASE_LIST = Script.returningCount("release_list");

  private static final int SCANNED = 1000;

  private final RedisLink link;
  private final Keys keys;

  public WaitingListStore(RedisLink link, Keys keys) {
    this.link = link;
    this.keys = keys;
  }

  /** Returns the lists of a partition that have attempts. Executions have no entry here. */
  public Future<List<WaitingList>> all(int partition) {
    return link.send(Request.cmd(Command.ZRANGE).arg(keys.lists(partition)).arg(0).arg(-1))
        .map(
            causes ->
                causes.stream()
                    .map(Objects::toString)
                    .map(WaitingList::parse)
                    .flatMap(Optional::stream)
                    .toList());
  }

  /**
   * Head of a waiting list.
   *
   * @param count attempts in the list
   * @param first the attempt that is claimed next
   */
  public record Head(long count, Optional<First> first) {
    /** Score of the attempt that is claimed next. */
    public OptionalLong score() {
      return first.isPresent() ? OptionalLong.of(first.get().score) : OptionalLong.empty();
    }
  }

  /**
   * First entry of a waiting list.
   *
   * @param member the attempt as it is stored
   * @param score epoch ms at which it was due, for a flow less the lead of its priority
   */
  public record First(String member, long score) {
    /** Instant at which it was due. Empty if the entry cannot be read; {@code fsck} reports it. */
    public Optional<Instant> due() {
      try {
        return Optional.of(Instant.ofEpochMilli(EpochMillis.of(Attempt.parse(member).dueAt())));
      } catch (RuntimeException e) {
        return Optional.empty();
      }
    }
  }

  /** Returns the length and the first attempt of a list. */
  public Future<Head> head(int partition, WaitingList list) {
    String key = keys.list(partition, list.key());
    Future<Response> count = link.send(Request.cmd(Command.ZCARD).arg(key));
    return link.send(Request.cmd(Command.ZRANGE).arg(key).arg(0).arg(0).arg("WITHSCORES"))
        .compose(
            first ->
                count.map(
                    size ->
                        new Head(
                            size.toLong(),
                            first.stream()
                                .map(e -> new First(e.get(0).toString(), e.get(1).toLong()))
                                .findFirst())));
  }

  /**
   * Makes the first attempts of a list due. An empty list loses its name among the lists.
   *
   * @return how many were moved; fewer than {@link ClaimStore#SLICE} means that none is left
   */
  public Future<Integer> release(int partition, WaitingList list, Instant now) {
    return release(partition, list, List.of(), now);
  }

  /**
   * Makes some attempts of a list due, if they are still there.
   *
   * @param attempts at most {@link ClaimStore#SLICE}
   * @return how many were moved
   */
  public Future<Integer> release(
      int partition, WaitingList list, List<String> attempts, Instant now) {
    return RELEASE_LIST
        .on(link)
        .key("list", keys.list(partition, list.key()))
        .key("lists", keys.lists(partition))
        .key("due", keys.due(partition))
        .arg("cause", list.key())
        .millis("now", now)
        .arg("limit", ClaimStore.SLICE)
        .args("attempts", attempts)
        .run();
  }

  /**
   * Slice of a walk through a list.
   *
   * @param cursor where the next slice begins, {@code 0} at the end
   */
  public record ListSlice(String cursor, List<String> attempts) {
    public boolean isLast() {
      return cursor.equals("0");
    }
  }

  /**
   * Reads a slice of a list.
   *
   * @param cursor {@code 0} at the beginning
   * @param jobs key of a job, or {@code subscription/group/collection/*}
   */
  public Future<ListSlice> scan(int partition, WaitingList list, String cursor, String jobs) {
    return link.send(
            Request.cmd(Command.ZSCAN)
                .arg(keys.list(partition, list.key()))
                .arg(cursor)
                .arg("MATCH")
                .arg(Attempt.PREFIX + jobs + " at=*")
                .arg("COUNT")
                .arg(SCANNED))
        .map(page -> new ListSlice(page.get(0).toString(), members(page.get(1))));
  }

  private static List<String> members(Response membersAndScores) {
    return IntStream.range(0, membersAndScores.size() / 2)
        .mapToObj(i -> membersAndScores.get(2 * i).toString())
        .toList();
  }

  /**
   * Removes the entry of a release from {@code due} when the lists were walked. It stays if another
   * change of the job set it anew in the meantime.
   */
  public Future<Void> endRelease(int partition, ParkedRelease release) {
    String member = ParkedRelease.PREFIX + release.jobs();
    return new ConditionalCommands()
        .when(Long.toString(release.again()), "ZSCORE", keys.due(partition), member)
        .then("ZREM", keys.due(partition), member)
        .run(link, true)
        .mapEmpty();
  }
}
