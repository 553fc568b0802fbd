package carillon.observe;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Measurement of the lag of event loops. It repeatedly sets a timer on each loop. The delay of the
 * timer is the loop's lag. A missing timer means that something blocks the loop and everything that
 * is confined to it. Thread-safe.
 */
public final class EventLoopLag {
  private static final Duration PERIOD = Duration.ofMillis(250);

  private final LongSupplier nanos;
  private final LongConsumer lag;
  private final List<Probe> probes = new CopyOnWriteArrayList<>();

  /**
   * A measurement of no loop yet.
   *
   * @param nanos {@code System::nanoTime} outside tests
   * @param lag receives each lag in nanoseconds, on the late loop
   */
  public EventLoopLag(LongSupplier nanos, LongConsumer lag) {
    this.nanos = nanos;
    this.lag = lag;
  }

  /** Begins to watch this many loops: instances of a deployment are spread over them in turn. */
  public Future<Void> over(Vertx vertx, int loops) {
    return vertx
        .deployVerticle(this::probe, new DeploymentOptions().setInstances(loops))
        .mapEmpty();
  }

  private Probe probe() {
    Probe probe = new Probe();
    probes.add(probe);
    return probe;
  }

  /** Returns the current delay of the loop with the longest one; zero when none is late. */
  public Duration longestStall() {
    long now = nanos.getAsLong();
    return Duration.ofNanos(
        Math.max(0, probes.stream().mapToLong(probe -> now - probe.expected).max().orElse(0)));
  }

  /** The timer of one loop. */
  private final class Probe extends VerticleBase {
    private volatile long expected = nanos.getAsLong() + PERIOD.toNanos();

    @Override
    public Future<?> start() {
      schedule();
      return Future.succeededFuture();
    }

    private void schedule() {
      expected = nanos.getAsLong() + PERIOD.toNanos();
      vertx.setTimer(
          PERIOD.toMillis(),
          id -> {
            lag.accept(Math.max(0, nanos.getAsLong() - expected));
            schedule();
          });
    }
  }
}
