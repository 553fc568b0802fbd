package carillon.timer;

import carillon.redis.SharedClock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;

/**
 * How a node that is told to stop leaves its partitions to the others without a pause: it goes on
 * looking at them until every other node has seen that it leaves. Confined to the timer's event
 * loop.
 */
final class GracefulLeave {
  private static final int LOOKS_PER_HEARTBEAT = 8;

  /** By so much the clocks of two nodes may differ. */
  private static final long CLOCKS_MILLIS = 20;

  private final Vertx vertx;
  private final SharedClock clock;
  private final Heartbeat heartbeat;
  private final Membership members;
  private final Duration pause;

  GracefulLeave(
      Vertx vertx, SharedClock clock, Heartbeat heartbeat, Membership members, Duration pause) {
    this.vertx = vertx;
    this.clock = clock;
    this.heartbeat = heartbeat;
    this.members = members;
    this.pause = pause;
  }

  /**
   * Done when all others know, at once when there is no other; after two heartbeats whoever has not
   * looked by then is not waited for. Does not fail.
   */
  Future<Void> leave() {
    long giveUp = System.nanoTime() + pause.multipliedBy(2).toNanos();
    boolean alone = members.alive() == 1;
    Future<Void> left = heartbeat.leave();
    long since = clock.millis();
    return left.compose(said -> alone ? said() : untilSeen(since + CLOCKS_MILLIS, giveUp));
  }

  private static Future<Void> said() {
    return Future.succeededFuture();
  }

  private Future<Void> untilSeen(long since, long giveUp) {
    return members.longestSilent() > since || System.nanoTime() > giveUp
        ? said()
        : vertx
            .timer(Math.max(1, pause.toMillis() / LOOKS_PER_HEARTBEAT))
            .compose(passed -> heartbeat.beat())
            .compose(seen -> untilSeen(since, giveUp));
  }
}
