package carillon.benchmark;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Processor time, of a program and of Redis, where known: steadier than rates on a machine that
 * others use as well.
 */
record CpuTime(Optional<Duration> program, Optional<Duration> redis) {

  CpuTime since(CpuTime before) {
    return new CpuTime(
        program.map(time -> time.minus(before.program.orElseThrow())),
        redis.map(time -> time.minus(before.redis.orElseThrow())));
  }

  CpuTime plus(CpuTime more) {
    return new CpuTime(
        program.map(time -> time.plus(more.program.orElseThrow())),
        redis.map(time -> time.plus(more.redis.orElseThrow())));
  }

  /** This time in microseconds per job. */
  PerJob per(int jobs) {
    return new PerJob(
        program.map(time -> micros(time, jobs)), redis.map(time -> micros(time, jobs)));
  }

  private static double micros(Duration time, int jobs) {
    return time.toNanos() / 1000.0 / Math.max(1, jobs);
  }

  /** Microseconds per job. */
  record PerJob(Optional<Double> program, Optional<Double> redis) {
    static final PerJob UNKNOWN = new PerJob(Optional.empty(), Optional.empty());

    /**
     * @param work what the jobs were put through
     * @param bare the same of a ceiling
     */
    List<ResultRow> figures(String work, PerJob bare) {
      return Stream.concat(
              program
                  .map(
                      time ->
                          ResultRow.of(work + ": CPU of the program, us/job", time)
                              .besides(bare.program))
                  .stream(),
              redis
                  .map(
                      time ->
                          ResultRow.of(work + ": CPU of Redis, us/job", time).besides(bare.redis))
                  .stream())
          .toList();
    }
  }
}
