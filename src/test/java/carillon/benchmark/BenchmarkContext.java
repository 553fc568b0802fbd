package carillon.benchmark;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/**
 * What the phases work with: the scheduler, the load on it, the target it calls. Used by the main
 * thread.
 */
record BenchmarkContext(
    Vertx vertx,
    Options options,
    Scheduler scheduler,
    Optional<RedisProbe> redis,
    Target target,
    JobRequests requests,
    Load load,
    Progress progress) {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration SETTLE = Duration.ofMillis(500);
  private static final Duration FAR_AHEAD = Duration.ofDays(365);

  /** An instant at which no job of a benchmark is waited for. */
  static Instant farAhead() {
    return Instant.now().plus(FAR_AHEAD);
  }

  static Instant instant(long micros) {
    return Instant.ofEpochMilli(micros / EpochMicros.PER_MILLI);
  }

  /** An instant so many seconds ahead, on a full millisecond. */
  static long ahead(double seconds) {
    return (EpochMicros.now() + (long) (seconds * EpochMicros.PER_SECOND))
        / EpochMicros.PER_MILLI
        * EpochMicros.PER_MILLI;
  }

  /** Submits jobs, in the order of their instants, as the pace says. */
  void submit(SendRate pace, Ledger ledger) {
    submit(pace, ledger, i -> requests.putJob(ledger.id(i), Optional.of(instant(ledger.due(i)))));
  }

  /** The same with other requests. */
  void submit(SendRate pace, Ledger ledger, IntFunction<Buffer> put) {
    AtomicInteger accepted = new AtomicInteger();
    WorkSource work =
        new WorkSource(
            pace,
            put,
            (index, sent, answered) -> {
              accepted.incrementAndGet();
              ledger.accepted(index, answered);
            });
    progress.await(
        load.run(work),
        () -> accepted + " of " + ledger.size() + " submitted, " + ledger.called() + " called");
  }

  /**
   * Waits until all have called, or nothing has come for long; and a little more for calls that
   * come twice.
   */
  void awaitCalls(Ledger ledger) {
    long lastDue = Math.max(EpochMicros.now(), ledger.due(ledger.size() - 1));
    progress.until(
        () ->
            ledger.missing() == 0
                || EpochMicros.now()
                    > Math.max(lastDue, ledger.lastArrival()) + PATIENCE.toNanos() / 1000,
        () -> ledger.called() + " of " + ledger.size() + " called");
    Blocking.sleep(SETTLE);
  }

  /** Starts a bare program. */
  ChildProcess startCeiling(String marker, String... arguments) {
    return ChildProcess.start(
        ClassPath.own(), BaselineMain.class.getName(), marker, Map.of(), List.of(arguments));
  }

  /** Where a bare server that was started listens. */
  static URI address(ChildProcess server) {
    return URI.create(server.awaitMarker());
  }

  /** A reading of the processor time used by the scheduler and by Redis. */
  CpuTime cpu() {
    return new CpuTime(scheduler.cpu(), redis.map(RedisProbe::cpu));
  }
}
