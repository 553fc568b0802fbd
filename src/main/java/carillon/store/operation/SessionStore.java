package carillon.store.operation;

import carillon.job.name.ErrorCode;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.time.Instant;
import java.util.Optional;

/**
 * Store of console sessions: the API key or the person, and a hash of each session. Ended sessions
 * disappear automatically. Every future may fail with {@link ErrorCode#STORE_UNAVAILABLE}. Confined
 * to the event loop of its link.
 */
public final class SessionStore {
  private static final Script<Void> OPEN = Script.returningNothing("open_session");

  /** Maximum number of sessions of one key or person. The next one ends the oldest. */
  private static final int MAX_SESSIONS = 20;

  private final RedisLink link;
  private final Keys keys;

  public SessionStore(RedisLink link, Keys keys) {
    this.link = link;
    this.keys = keys;
  }

  /**
   * Stores a session.
   *
   * @param owner id of the API key that was shown, or of the person
   * @param hash hash of the session
   */
  public Future<Void> open(String owner, String hash, Instant now, Instant ends) {
    return OPEN.on(link)
        .key("sessions", keys.sessions(owner))
        .arg("session", hash)
        .arg("now", now.toEpochMilli())
        .arg("ends", ends.toEpochMilli())
        .arg("max", MAX_SESSIONS)
        .run();
  }

  /** Returns when a session ends or ended; empty if it is unknown. */
  public Future<Optional<Instant>> end(String owner, String hash) {
    return link.send(Request.cmd(Command.ZSCORE).arg(keys.sessions(owner)).arg(hash))
        .map(score -> Optional.ofNullable(score).map(ms -> Instant.ofEpochMilli(ms.toLong())));
  }

  public Future<Void> close(String owner, String hash) {
    return link.send(Request.cmd(Command.ZREM).arg(keys.sessions(owner)).arg(hash)).mapEmpty();
  }
}
