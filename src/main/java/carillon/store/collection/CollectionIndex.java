package carillon.store.collection;

import carillon.access.Scope;
import carillon.job.name.CollectionName;
import carillon.job.name.NameRules;
import carillon.redis.DamagedKey;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Index of collections: a list for each subscription, and the disabled markers, which every node
 * reads with its heartbeat. Both are in other slots than the collection, which alone is the truth.
 * Confined to the event loop of its link.
 */
public final class CollectionIndex {
  private final RedisLink link;
  private final Keys keys;
  private final DisabledMarkers disabledMarkers;

  public CollectionIndex(RedisLink link, Keys keys, DisabledMarkers disabledMarkers) {
    this.link = link;
    this.keys = keys;
    this.disabledMarkers = disabledMarkers;
  }

  /** Adds the collection to the list. */
  public Future<Void> list(CollectionName name) {
    String list = keys.collections(subscription(name));
    return DamagedKey.write(
            link, keys, list, Request.cmd(Command.ZADD).arg(list).arg(0).arg(listing(name)))
        .mapEmpty();
  }

  /**
   * Removes a deleted collection from the list, and sets its disabled marker to enabled. So
   * attempts that are still in flight are not held for it. If there is a collection of this name
   * again, it gets both back.
   */
  Future<Void> remove(CollectionName name) {
    String list = keys.collections(subscription(name));
    Future<Response> unlisted =
        DamagedKey.write(link, keys, list, Request.cmd(Command.ZREM).arg(list).arg(listing(name)));
    return Future.all(unlisted, disabledMarkers.settleIfEverDisabled(name))
        .compose(
            removed ->
                link.send(
                    Request.cmd(Command.HMGET)
                        .arg(keys.collection(name))
                        .arg("definition")
                        .arg("deletedAt")))
        .compose(
            now ->
                now.get(0) == null || now.get(1) != null ? Future.succeededFuture() : list(name));
  }

  static String subscription(CollectionName name) {
    return name.subscription().toLowerCase(Locale.ROOT);
  }

  private static String listing(CollectionName name) {
    return name.key().substring(name.subscription().length() + 1);
  }

  /**
   * Reader of entries in the list of a subscription's collections, one part after the other. Used
   * once.
   */
  static final class EntryReader {
    private final RedisLink link;
    private final String key;
    private final int max;
    private final List<String> listed = new ArrayList<>();

    /**
     * Creates a reader.
     *
     * @param key key of the list
     * @param max number of wanted entries
     */
    EntryReader(RedisLink link, String key, int max) {
      this.link = link;
      this.key = key;
      this.max = max;
    }

    /**
     * Reads the entries {@code group/collection} of some parts.
     *
     * @param parts disjoint, in the order of names; each costs two range reads at most
     * @param after where to begin, empty text for the beginning
     * @param skip number of entries to leave out first
     */
    Future<List<String>> read(List<Scope> parts, String after, int skip) {
      if (parts.isEmpty() || listed.size() == max) {
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
                long last = Math.min(first + max - listed.size(), end) - 1;
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

    /**
     * Range of a part in the list of a subscription's collections, whose members are {@code
     * group/collection}. Both ends are upper limits for ZLEXCOUNT.
     *
     * @param before limit that counts the members before the part
     * @param upto limit that counts the members up to the end of the part
     */
    private record ListingRange(String before, String upto) {

      static ListingRange of(Scope part) {
        if (part.group().isEmpty()) {
          return new ListingRange("(", "+");
        }
        String beginning = part.group() + "/" + part.collections().beginning();
        return new ListingRange(
            "(" + beginning,
            part.collections().isOpen() ? "(" + NameRules.justAfter(beginning) : "[" + beginning);
      }

      /** Returns the part after this member; all of it for an empty text. */
      ListingRange after(String member) {
        return member.isEmpty() || before.substring(1).compareTo(member) > 0
            ? this
            : new ListingRange("[" + member, upto);
      }
    }
  }
}
