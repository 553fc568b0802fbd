package carillon.benchmark;

import carillon.load.EpochMicros;
import carillon.load.Load;
import carillon.load.Percentiles;
import carillon.load.SendRate;
import io.vertx.core.Future;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Measurement of a server that receives jobs as fast as it answers. */
final class SubmitMeasurement {
  private static final long STRIDE = 7919;
  private static final long YEAR = 31_536_000;

  /** Time from the start of a turn to the start of its measurement. */
  private static final long BEGIN = EpochMicros.PER_SECOND / 5;

  private final BenchmarkContext context;
  private final String name;
  private final URI server;
  private final Supplier<CpuTime> cpu;
  private final AtomicInteger jobs = new AtomicInteger();
  private final Instant first = BenchmarkContext.farAhead();
  private final Percentiles.Samples latency = new Percentiles.Samples();
  private double seconds;
  private Optional<CpuTime> used = Optional.empty();

  /**
   * Creates a measurement without sending anything.
   *
   * @param cpu a reading of the processor time that the server and Redis have used
   */
  SubmitMeasurement(BenchmarkContext context, String name, URI server, Supplier<CpuTime> cpu) {
    this.context = context;
    this.name = name;
    this.server = server;
    this.cpu = cpu;
  }

  /** Sends jobs without measuring. */
  void warmUp(int length) {
    send(length * EpochMicros.PER_SECOND, 0);
  }

  /** Sends jobs for this many seconds and adds the result to earlier measurements. */
  void measure(double length) {
    send(BEGIN, (long) (length * EpochMicros.PER_SECOND));
    seconds += length;
  }

  private void send(long before, long measured) {
    context.progress().phase(name);
    long from = EpochMicros.now() + before;
    long to = from + measured;
    Load.Work work =
        new Load.Work(
            SendRate.until(to),
            i -> context.requests().putJob(next(), Optional.of(start())),
            (index, sent, answered) -> {
              if (answered >= from && answered < to) {
                latency.add(answered - sent);
              }
            });
    Future<Void> sent = new Load(context.vertx(), server, context.options().connections).run(work);
    context
        .progress()
        .until(() -> EpochMicros.now() >= from || sent.isComplete(), () -> "warming up");
    CpuTime begin = cpu.get();
    context
        .progress()
        .until(
            () -> EpochMicros.now() >= to || sent.isComplete(), () -> latency.size() + " accepted");
    CpuTime turn = cpu.get().since(begin);
    used = Optional.of(used.map(sum -> sum.plus(turn)).orElse(turn));
    context.progress().await(sent, () -> "the last answers");
  }

  private String next() {
    return "accept-" + jobs.incrementAndGet();
  }

  /**
   * Returns an instant far ahead. Instants are spread out as in practice, because equal instants
   * cost a sorted set more.
   */
  private Instant start() {
    return first.plusSeconds(jobs.get() * STRIDE % YEAR);
  }

  /** Returns the latency of the answers in microseconds. */
  Percentiles latency() {
    return latency.percentiles();
  }

  double perSecond() {
    return latency.size() / seconds;
  }

  CpuTime cpuPerJob() {
    return used.orElseThrow().per(latency.size());
  }
}
