package carillon.store.attempt;

import carillon.job.AttemptRecord.Running;
import carillon.job.attempt.Claim;
import carillon.job.name.IsoInstant;
import carillon.job.name.JobException;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import carillon.store.node.NodeStore;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Reader of the attempts in flight on all nodes, those claimed longest ago first. It reads the
 * claims and writes nothing. Confined to the event loop of its link.
 */
public final class RunningAttempts {
  private static final Script<List<StoredClaim>> LIST =
      Script.returning("list_claims", reply -> reply.stream().map(StoredClaim::of).toList());

  /** Maximum number of claims of a node in a partition that one call reads. */
  private static final int SLICE = 32;

  /** Maximum number of rounds for a page. Each round reads a slice of each node and partition. */
  private static final int MAX_ROUNDS = 16;

  private static final Pattern POSITION = Pattern.compile("[0-9]{23}[0-9a-f]{40}");

  private final RedisLink link;
  private final Keys keys;
  private final NodeStore nodes;

  public RunningAttempts(RedisLink link, Keys keys, NodeStore nodes) {
    this.link = link;
    this.keys = keys;
    this.nodes = nodes;
  }

  /**
   * A page of attempts in flight.
   *
   * @param after position of the next page, if there may be more
   */
  public record Page(List<Running> attempts, Optional<String> after) {}

  /**
   * Query for a page.
   *
   * @param object key of a job, or its beginning up to a slash; empty for all jobs
   * @param isVisible whether the caller may see the job with a key
   * @param after where to begin, empty for the oldest claims
   * @param top maximum number of attempts on the page
   */
  public record Query(String object, Predicate<String> isVisible, String after, int top) {
    /** Fails with INVALID if {@code after} is no position. */
    public Query {
      if (!after.isEmpty() && !POSITION.matcher(after).matches()) {
        throw JobException.invalid("$skiptoken: must be the token of a nextLink");
      }
    }
  }

  /** A claim as stored in Redis. */
  private record StoredClaim(String position, String claim, String since) {
    static StoredClaim of(Response entry) {
      return new StoredClaim(
          entry.get(0).toString(), entry.get(1).toString(), entry.get(2).toString());
    }

    /** Returns the attempt; empty if the claim cannot be read. {@code fsck} reports such claims. */
    Optional<Running> read(String node) {
      try {
        return Optional.of(
            new Running(Claim.parse(claim).attempt(), node, IsoInstant.parse(since)));
      } catch (RuntimeException e) {
        return Optional.empty();
      }
    }
  }

  /** Claims of a node in one partition. */
  private record NodeClaims(String node, List<StoredClaim> claims) {
    /**
     * Returns the last position of a full slice, because claims may follow it; empty if none
     * follow.
     */
    Optional<String> end() {
      return claims.size() < SLICE
          ? Optional.empty()
          : Optional.of(claims.get(claims.size() - 1).position());
    }
  }

  private record Located(String position, Running running) {}

  /**
   * Lists the attempts in flight. A request reads a bounded number of claims. So a page may have
   * fewer than {@code top}, or none, although more follow.
   */
  public Future<Page> page(Query query) {
    return nodes
        .heartbeats()
        .map(
            beats ->
                Stream.concat(
                        beats.workers().keySet().stream(), beats.idleNodes().keySet().stream())
                    .distinct()
                    .toList())
        .compose(ids -> collect(ids, query, query.after(), new ArrayList<>(), 1));
  }

  private Future<Page> collect(
      List<String> ids, Query query, String after, List<Located> found, int round) {
    return slices(ids, query.object(), after)
        .compose(
            slices -> {
              Optional<String> end =
                  slices.stream().flatMap(slice -> slice.end().stream()).min(String::compareTo);
              slices.stream()
                  .flatMap(RunningAttempts::located)
                  .filter(one -> end.filter(last -> one.position.compareTo(last) > 0).isEmpty())
                  .filter(one -> query.isVisible().test(one.running.attempt().job()))
                  .sorted(Comparator.comparing(Located::position))
                  .forEach(found::add);
              if (found.size() > query.top()) {
                List<Located> page = found.subList(0, query.top());
                return page(page, Optional.of(page.get(page.size() - 1).position()));
              }
              return end.isEmpty() || round == MAX_ROUNDS
                  ? page(found, end)
                  : collect(ids, query, end.get(), found, round + 1);
            });
  }

  private Future<List<NodeClaims>> slices(List<String> ids, String object, String after) {
    return Future.all(
            ids.stream()
                .flatMap(
                    id ->
                        IntStream.range(0, keys.partitions())
                            .mapToObj(partition -> slice(partition, id, object, after)))
                .toList())
        .map(all -> all.list());
  }

  private Future<NodeClaims> slice(int partition, String node, String object, String after) {
    return LIST.on(link)
        .key("claims", keys.claims(partition, node))
        .arg("after", after)
        .arg("object", object)
        .arg("take", SLICE)
        .run()
        .map(claims -> new NodeClaims(node, claims));
  }

  private static Stream<Located> located(NodeClaims slice) {
    return slice.claims.stream()
        .flatMap(
            claim ->
                claim
                    .read(slice.node)
                    .map(running -> new Located(claim.position, running))
                    .stream());
  }

  private static Future<Page> page(List<Located> found, Optional<String> after) {
    return Future.succeededFuture(new Page(found.stream().map(Located::running).toList(), after));
  }
}
