package carillon.observe.tracing;

import io.opentelemetry.sdk.common.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/** Gives spans the instants of the engine, which all nodes agree on. */
final class SpanClock implements Clock {
  private final InstantSource instants;

  SpanClock(InstantSource instants) {
    this.instants = instants;
  }

  @Override
  public long now() {
    Instant now = instants.instant();
    return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
  }

  /** Durations are differences of the same clock. */
  @Override
  public long nanoTime() {
    return now();
  }
}
