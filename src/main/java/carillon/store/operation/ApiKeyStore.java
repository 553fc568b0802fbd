package carillon.store.operation;

import carillon.access.ApiKey;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.json.text.Timestamps;
import carillon.json.view.ApiKeyCodec;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Store of API keys. It has their digests and grants, never the keys themselves. Every future may
 * fail with {@link ErrorCode#STORE_UNAVAILABLE}. Confined to the event loop of its link.
 */
public final class ApiKeyStore {
  private static final Script<Addition> ADD = Script.returningWord("add_key", Addition.class);
  private static final Script<Integer> REVOKE = Script.returningCount("revoke_key");
  private static final int MAX_KEYS = 10_000;
  private final RedisLink link;
  private final Keys keys;

  public ApiKeyStore(RedisLink link, Keys keys) {
    this.link = link;
    this.keys = keys;
  }

  private enum Addition {
    ADDED,
    EXISTS,
    CLIENT,
    FULL
  }

  /** Begins a script call with the Redis keys of all data about API keys. */
  private <R> Script.CallBuilder<R> call(Script<R> script) {
    return script
        .on(link)
        .key("keys", keys.apiKeys())
        .key("clients", keys.apiClients())
        .key("lastused", keys.apiKeysLastUsed());
  }

  /**
   * Adds a key. Fails with {@link ErrorCode#CONFLICT} if its client has two already, or if there
   * are too many.
   */
  public Future<Void> add(ApiKey key) {
    String now = Timestamps.format(key.created().truncatedTo(ChronoUnit.SECONDS));
    return call(ADD)
        .arg("id", key.id())
        .arg("client", key.client().toLowerCase(Locale.ROOT))
        .arg("key", ApiKeyCodec.write(key))
        .arg("now", now)
        .arg("max", MAX_KEYS)
        .run()
        .map(
            addition ->
                switch (addition) {
                  case ADDED -> null;
                  case CLIENT ->
                      throw conflict(
                          "Client '"
                              + key.client()
                              + "' has two keys already; revoke one of them first.");
                  case FULL -> throw conflict("There are " + MAX_KEYS + " keys already.");
                  case EXISTS -> throw conflict("There is a key '" + key.id() + "' already.");
                });
  }

  private static JobException conflict(String message) {
    return new JobException(ErrorCode.CONFLICT, message);
  }

  /** Returns the key with this id, active or expired. */
  public Future<Optional<ApiKey>> find(String id) {
    return link.send(Request.cmd(Command.HGET).arg(keys.apiKeys()).arg(id))
        .map(json -> Optional.ofNullable(json).map(text -> ApiKeyCodec.read(text.toString())));
  }

  /**
   * Removes a key.
   *
   * @return false if there was none
   */
  public Future<Boolean> revoke(String id) {
    return call(REVOKE).arg("id", id).run().map(removed -> removed == 1);
  }

  /** Records when a key was used, approximately. */
  public Future<Void> used(String id, Instant when) {
    return link.send(
            Request.cmd(Command.HSET).arg(keys.apiKeysLastUsed()).arg(id).arg(when.toEpochMilli()))
        .mapEmpty();
  }

  /** Adds the time of the last use to each key, if there is one. */
  public Future<List<ApiKeyCodec.Shown>> shown(List<ApiKey> wanted) {
    if (wanted.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    Request request = Request.cmd(Command.HMGET).arg(keys.apiKeysLastUsed());
    wanted.forEach(key -> request.arg(key.id()));
    return link.send(request)
        .map(
            times -> {
              Iterator<Response> time = times.iterator();
              return wanted.stream()
                  .map(
                      key ->
                          new ApiKeyCodec.Shown(
                              key,
                              Optional.ofNullable(time.next())
                                  .map(ms -> Instant.ofEpochMilli(ms.toLong()))))
                  .toList();
            });
  }

  /** Returns all keys by their ids. Reads them in bounded slices. */
  public Future<NavigableMap<String, ApiKey>> byId() {
    return link.entries(keys.apiKeys())
        .map(
            entries -> {
              NavigableMap<String, ApiKey> found = new TreeMap<>();
              entries.forEach((id, json) -> found.put(id, ApiKeyCodec.read(json)));
              return found;
            });
  }
}
