package carillon.store.node;

import carillon.redis.Keys;
import carillon.redis.RedisLink;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Instant;

/**
 * Mark of the clock by which the stored jobs live. Data of a virtual clock stays so for ever: a
 * node with the real one would call all that is due in between, and one with a virtual clock would
 * call what is due in reality. Both are refused at the start.
 */
public final class ClockMark {
  private static final String CLOCK = "clock";
  private static final String VIRTUAL = "virtual";
  private static final String NOW = "virtualNow";

  private final RedisLink link;
  private final Keys keys;

  public ClockMark(RedisLink link, Keys keys) {
    this.link = link;
    this.keys = keys;
  }

  /**
   * Fails with an IllegalStateException, fit for an operator's eyes, on data of a virtual clock.
   */
  public Future<Void> requireReal() {
    return get(CLOCK)
        .map(
            clock -> {
              if (clock != null) {
                throw new IllegalStateException(
                    "what is stored in Redis lives by a virtual clock, for ever; start with"
                        + " --virtual-time (clock.virtual), or use another data.dir, Redis or"
                        + " redis.prefix");
              }
              return null;
            });
  }

  /**
   * Marks new data as that of a virtual clock.
   *
   * @param start where the clock is to stand
   * @return where it stands: later, where it stood later before. Fails with an
   *     IllegalStateException, fit for an operator's eyes, on data of the real clock
   */
  public Future<Instant> beginVirtual(Instant start) {
    return Future.all(get(CLOCK), get("created"), get(NOW))
        .compose(
            found -> {
              Response clock = found.resultAt(0);
              Response created = found.resultAt(1);
              Response now = found.resultAt(2);
              if (clock == null && created != null) {
                throw new IllegalStateException(
                    "what is stored in Redis lives by the real clock; a virtual one"
                        + " (clock.virtual) needs an empty data.dir, Redis or redis.prefix");
              }
              Instant last = now == null ? start : Instant.parse(now.toString());
              Instant from = last.isAfter(start) ? last : start;
              return set(CLOCK, VIRTUAL).compose(done -> save(from)).map(from);
            });
  }

  /** Keeps where the virtual clock stands, for the next start. */
  public Future<Void> save(Instant now) {
    return set(NOW, now.toString());
  }

  private Future<Response> get(String field) {
    return link.send(Request.cmd(Command.HGET).arg(keys.meta()).arg(field));
  }

  private Future<Void> set(String field, String value) {
    return link.send(Request.cmd(Command.HSET).arg(keys.meta()).arg(field).arg(value)).mapEmpty();
  }
}
