package carillon.redis;

import io.vertx.core.Future;
import java.time.Instant;

/**
 * Detects that Redis' clock was set back while something was computed by the earlier time. One TIME
 * serves all that is written within a round trip; in a Cluster, where the clock that counts is in
 * another server, only what is known already counts. Confined to the event loop of its link.
 */
public final class StepBackDetector {
  private final RedisLink link;
  private final SharedClock clock;
  private Future<Void> underWay = Future.succeededFuture();

  public StepBackDetector(RedisLink link, SharedClock clock) {
    this.link = link;
    this.clock = clock;
  }

  /**
   * True if Redis' clock is behind the instant. Called when the write has been sent; never fails.
   *
   * @param now by which was computed what is written
   */
  public Future<Boolean> since(Instant now) {
    if (underWay.isComplete() && !link.isSharded()) {
      underWay = ask();
    }
    return underWay.map(checked -> clock.instant().isBefore(now)).otherwise(false);
  }

  private Future<Void> ask() {
    long asked = clock.ask();
    return link.time().map(micros -> clock.check(asked, micros)).mapEmpty();
  }
}
