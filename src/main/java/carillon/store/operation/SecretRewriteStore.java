package carillon.store.operation;

import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import carillon.redis.route.RedisRoute;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Store for sealing secrets with another key. It walks over all definitions in bounded slices, and
 * replaces a definition so that clients notice no change. Both are repeated while Redis is
 * unavailable. Confined to the event loop of its link.
 */
public final class SecretRewriteStore {
  /** Cursor for the start and the end of a walk. */
  public static final String EDGE = "0";

  private static final Script<Sealing> RESEAL = Script.returningWord("reseal", Sealing.class);
  private static final int SLICE = 256;

  private final RedisLink link;
  private final Keys keys;

  public SecretRewriteStore(RedisLink link, Keys keys) {
    this.link = link;
    this.keys = keys;
  }

  /**
   * A definition as stored in Redis.
   *
   * @param key key of its hash
   * @param owner key of the job or the collection
   * @param isJob whether it belongs to a job
   * @param text JSON
   */
  public record Definition(String key, String owner, boolean isJob, String text) {}

  /**
   * Slice of a walk.
   *
   * @param next cursor of the next slice; {@link #EDGE} after all definitions that existed during
   *     the whole walk
   */
  public record DefinitionSlice(List<Definition> definitions, String next) {}

  /**
   * Reads the next slice. A definition may come twice, which does no harm.
   *
   * @param from {@link #EDGE}, or the {@code next} of the slice before
   */
  public Future<DefinitionSlice> read(String from) {
    return link.persist(() -> readOnce(from));
  }

  private Future<DefinitionSlice> readOnce(String from) {
    List<RedisRoute> masters = link.masters();
    int master = from.equals(EDGE) ? 0 : Integer.parseInt(from.substring(0, from.indexOf('/')));
    if (master >= masters.size()) {
      return Future.succeededFuture(new DefinitionSlice(List.of(), EDGE)); // fewer servers now
    }
    return masters
        .get(master)
        .send(
            Request.cmd(Command.SCAN)
                .arg(from.substring(from.indexOf('/') + 1))
                .arg("MATCH")
                .arg(keys.prefix() + ":*")
                .arg("COUNT")
                .arg(SLICE)
                .arg("TYPE")
                .arg("hash"))
        .compose(
            reply ->
                definitions(reply.get(1))
                    .map(
                        all ->
                            new DefinitionSlice(
                                all, next(master, masters.size(), reply.get(0).toString()))));
  }

  /** Returns the next cursor: on the same server, on the next server, or the end. */
  private static String next(int master, int masters, String cursor) {
    if (!cursor.equals(EDGE)) {
      return master + "/" + cursor;
    }
    return master + 1 < masters ? (master + 1) + "/" + EDGE : EDGE;
  }

  /**
   * Returns the servers that a walk visits in turn. If they have changed at its end, the walk may
   * have missed definitions.
   */
  public List<RedisRoute> servers() {
    return link.masters();
  }

  private Future<List<Definition>> definitions(Response found) {
    List<Future<Optional<Definition>>> read = new ArrayList<>();
    for (Response key : found) {
      String name = key.toString();
      keys.ownerOfJob(name)
          .ifPresentOrElse(
              job -> read.add(definition(name, job, true)),
              () ->
                  keys.ownerOfCollection(name)
                      .ifPresent(collection -> read.add(definition(name, collection, false))));
    }
    return Future.all(read)
        .map(all -> read.stream().flatMap(one -> one.result().stream()).toList());
  }

  private Future<Optional<Definition>> definition(String key, String owner, boolean isJob) {
    return link.send(Request.cmd(Command.HGET).arg(key).arg("definition"))
        .map(
            text ->
                Optional.ofNullable(text)
                    .map(there -> new Definition(key, owner, isJob, there.toString())));
  }

  /**
   * Replaces a definition by a text.
   *
   * @return false if the definition was changed in the meantime
   */
  public Future<Boolean> replace(Definition definition, String text) {
    return link.persist(
            () ->
                RESEAL
                    .on(link)
                    .key("job", definition.key())
                    .arg("definition", definition.text())
                    .arg("definition", text)
                    .run())
        .map(sealing -> sealing == Sealing.SEALED);
  }

  private enum Sealing {
    SEALED,
    CHANGED
  }
}
