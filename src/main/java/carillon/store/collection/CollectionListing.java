package carillon.store.collection;

import carillon.access.Scope;
import carillon.redis.RedisLink;
import carillon.store.job.ListingRange;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;

/** Reads entries from the list of a subscription's collections, part after part. Used once. */
final class CollectionListing {
  private final RedisLink link;
  private final String key;
  private final int most;
  private final List<String> listed = new ArrayList<>();

  /**
   * Nothing is read yet.
   *
   * @param key of the list
   * @param most entries that are wanted
   */
  CollectionListing(RedisLink link, String key, int most) {
    this.link = link;
    this.key = key;
    this.most = most;
  }

  /**
   * The entries {@code group/collection} of some parts.
   *
   * @param parts disjoint, in the order of names; each costs two range reads at most
   * @param after where to begin, empty text for the beginning
   * @param skip how many to leave out first
   */
  Future<List<String>> read(List<Scope> parts, String after, int skip) {
    if (parts.isEmpty() || listed.size() == most) {
      return Future.succeededFuture(listed);
    }
    ListingRange range = ListingRange.of(parts.get(0)).after(after);
    List<Scope> rest = parts.subList(1, parts.size());
    Future<Response> before = rank(range.before());
    Future<Response> upto = rank(range.upto());
    return Future.all(before, upto)
        .compose(
            ranks -> {
              long first = before.result().toLong() + skip;
              long end = Math.max(before.result().toLong(), upto.result().toLong());
              if (first >= end) {
                return read(rest, after, (int) (first - end));
              }
              long last = Math.min(first + most - listed.size(), end) - 1;
              return link.send(Request.cmd(Command.ZRANGE).arg(key).arg(first).arg(last))
                  .compose(
                      found -> {
                        found.forEach(one -> listed.add(one.toString()));
                        return read(rest, after, 0);
                      });
            });
  }

  private Future<Response> rank(String edge) {
    return link.send(Request.cmd(Command.ZLEXCOUNT).arg(key).arg("-").arg(edge));
  }
}
