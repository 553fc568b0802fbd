package carillon.store.node;

import carillon.job.ErrorCode;
import carillon.job.JobException;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.util.List;
import java.util.Optional;

/**
 * Guard against documents that a node of an earlier format would misread: accepts one only when
 * every listed node reads its format. The first that is accepted raises {@code schema}, so that a
 * program that is too old starts here no more; from then on nothing is asked. Confined to the event
 * loop of its link.
 */
public final class FormatGuard {
  private final RedisLink link;
  private final Keys keys;
  private final NodeStore nodes;

  /** The schema as it was seen last; it is never lowered. */
  private int schema;

  public FormatGuard(RedisLink link, Keys keys, NodeStore nodes) {
    this.link = link;
    this.keys = keys;
    this.nodes = nodes;
  }

  /**
   * Makes sure that whoever works here reads the format, before something of it is written.
   *
   * @param field that asks for it, for the refusal
   * @return fails with {@link ErrorCode#CONFLICT} while a node does not
   */
  public Future<Void> require(int format, String field) {
    return schema >= format
        ? Future.succeededFuture()
        : check(format, field)
            .compose(read -> StoreFormat.raise(link, keys, "schema", format))
            .onSuccess(raised -> schema = format);
  }

  /** Makes sure of the format where there is such a field; else asks nothing of anybody. */
  public Future<Void> require(int format, Optional<String> field) {
    return field.map(given -> require(format, given)).orElseGet(Future::succeededFuture);
  }

  /**
   * Makes sure that whoever works here reads the format, but does not raise {@code schema}: nothing
   * of the format is about to be written.
   *
   * @param field that asks for it, for the refusal
   * @return fails with {@link ErrorCode#CONFLICT} while a node does not
   */
  public Future<Void> check(int format, String field) {
    return link.send(Request.cmd(Command.HGET).arg(keys.meta()).arg("schema"))
        .compose(
            stored -> {
              schema = stored == null ? 0 : stored.toInteger();
              return schema >= format
                  ? Future.succeededFuture()
                  : nodes
                      .members("", 0, Integer.MAX_VALUE)
                      .compose(page -> check(page.members(), format, field));
            });
  }

  private static Future<Void> check(List<NodeStore.Member> members, int format, String field) {
    return members.stream()
        .filter(node -> node.record().map(NodeRecord::format).orElse(0) < format)
        .findFirst()
        .map(node -> Future.<Void>failedFuture(refusal(node, field)))
        .orElseGet(Future::succeededFuture);
  }

  private static JobException refusal(NodeStore.Member node, String field) {
    Optional<String> version = node.record().map(NodeRecord::version);
    return new JobException(
        ErrorCode.CONFLICT,
        field
            + ": node '"
            + node.id()
            + "' runs "
            + version.map(known -> "version " + known).orElse("an earlier version")
            + ", which does not know it; upgrade it first");
  }
}
