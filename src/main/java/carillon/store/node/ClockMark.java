package carillon.store.node;

import carillon.redis.Keys;
import carillon.redis.RedisLink;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Instant;

/**
 * Mark of the clock for the stored jobs. Data of a virtual clock keeps its mark forever. On such
 * data, a node with the real clock would call everything that is due in between. On real data, a
 * node with a virtual clock would call real jobs. Both are refused at the start.
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

  /** Fails on data of a virtual clock, with an IllegalStateException fit for operators. */
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
   * Marks new data as that of a virtual clock. Fails on data of the real clock, with an
   * IllegalStateException fit for operators.
   *
   * @param start initial time of the clock
   * @return time of the clock: {@code start}, or a later time that the clock had before
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

  /** Stores the time of the virtual clock for the next start. */
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
