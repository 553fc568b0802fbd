package carillon.timer;

import carillon.redis.SharedClock;
import io.vertx.core.Vertx;
import java.util.OptionalLong;
import java.util.function.IntConsumer;

/**
 * Timer of wake-ups, each of which polls a partition at an instant. Combines a timer wheel with one
 * timer for the earliest wake-up. Ignores instants beyond the wheel's horizon. The clock may go
 * back. Confined to the timer's event loop.
 */
final class WakeUpTimer {
  private static final int WHEEL_SLOTS = 2048;
  private static final TimerWheel.Sink NOBODY = (partition, at) -> {};

  private final Vertx vertx;
  private final SharedClock clock;
  private final int partitions;
  private final TimerWheel.Sink sink;
  private TimerWheel wheel;
  private long latest;
  private long timer = -1;
  private long timerAt = Long.MAX_VALUE;

  /**
   * Creates a timer without wake-ups.
   *
   * @param poll called with each partition whose time has come
   */
  WakeUpTimer(Vertx vertx, SharedClock clock, int partitions, IntConsumer poll) {
    this.vertx = vertx;
    this.clock = clock;
    this.partitions = partitions;
    this.sink = (partition, at) -> poll.accept(partition);
    this.latest = clock.millis();
    this.wheel = new TimerWheel(partitions, WHEEL_SLOTS, latest);
  }

  /**
   * Polls the partition at this instant, epoch ms. For a past instant, polls before this returns.
   */
  void set(int partition, long millis) {
    long now = now();
    if (millis <= now) {
      sink.wake(partition, now); // a timer would take a millisecond or two
    } else {
      // The horizon counts from where the wheel stands, and an idle wheel has stood still.
      wheel.advance(now, 0, NOBODY);
      wheel.schedule(partition, millis);
    }
    setTimer();
  }

  private void setTimer() {
    OptionalLong next = wheel.nextWakeUp();
    if (next.isEmpty() || next.getAsLong() >= timerAt) {
      return;
    }
    vertx.cancelTimer(timer);
    timerAt = next.getAsLong();
    timer = vertx.setTimer(Math.max(1, timerAt - clock.millis()), id -> advance());
  }

  /**
   * Returns the current time. A wheel cannot turn back. If the clock does, a new wheel replaces it,
   * and all partitions are polled once, which schedules their wake-ups again.
   */
  private long now() {
    long now = clock.millis();
    if (now < latest) {
      wheel = new TimerWheel(partitions, WHEEL_SLOTS, now);
      for (int partition = 0; partition < partitions; partition++) {
        wheel.schedule(partition, now);
      }
      vertx.cancelTimer(timer);
      timerAt = Long.MAX_VALUE;
    }
    latest = now;
    return now;
  }

  private void advance() {
    timerAt = Long.MAX_VALUE;
    wheel.advance(now(), partitions, sink);
    setTimer();
  }

  /** Receives the instants at which a partition must be polled again. */
  interface Listener {
    /**
     * Something in the partition is due at this instant.
     *
     * @param earliest true for the earliest entry of the partition, false for an entry that this
     *     node has just scheduled
     */
    void at(int partition, long millis, boolean earliest);
  }
}
