package carillon.benchmark;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;

/**
 * Processor time, where it is known. It varies less than rates on a shared machine.
 *
 * @param program time of the scheduler or of a bare program
 * @param eventLoops part of {@code program} without the threads of the virtual machine itself
 * @param redis time of Redis, without its children
 */
record CpuTime(
    Optional<Duration> program, Optional<Duration> eventLoops, Optional<Duration> redis) {
  static final CpuTime UNKNOWN = new CpuTime(Optional.empty(), Optional.empty(), Optional.empty());

  CpuTime since(CpuTime before) {
    return with(before, Duration::minus);
  }

  CpuTime plus(CpuTime more) {
    return with(more, Duration::plus);
  }

  private CpuTime with(CpuTime other, BinaryOperator<Duration> operator) {
    return new CpuTime(
        program.map(time -> operator.apply(time, other.program.orElseThrow())),
        eventLoops.map(time -> operator.apply(time, other.eventLoops.orElseThrow())),
        redis.map(time -> operator.apply(time, other.redis.orElseThrow())));
  }

  /** Returns this time divided by the number of jobs. */
  CpuTime per(int jobs) {
    int count = Math.max(1, jobs);
    return new CpuTime(
        program.map(time -> time.dividedBy(count)),
        eventLoops.map(time -> time.dividedBy(count)),
        redis.map(time -> time.dividedBy(count)));
  }

  /**
   * Returns rows with the processor time of the program and of Redis per job.
   *
   * @param work name of the work, such as {@code herd}
   * @param bare processor time per job of a ceiling
   */
  List<ResultRow> rows(String work, CpuTime bare) {
    return Stream.of(
            row(work + ": CPU of the program, us/job", program, bare.program),
            row(work + ": CPU of Redis, us/job", redis, bare.redis))
        .flatMap(Optional::stream)
        .toList();
  }

  private static Optional<ResultRow> row(
      String name, Optional<Duration> time, Optional<Duration> bare) {
    return time.map(used -> ResultRow.of(name, micros(used)).besides(bare.map(CpuTime::micros)));
  }

  static double micros(Duration time) {
    return time.toNanos() / 1000.0;
  }
}
