package carillon.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What scheduler and Redis have used until a moment, or between two.
 *
 * @param redis counters of Redis
 * @param program processor time of the scheduler, when it was started here
 * @param eventLoops the part of it that is not the virtual machine's own
 */
record Cost(RedisProbe.Counters redis, Optional<Duration> program, Optional<Duration> eventLoops) {

  static Cost now(BenchmarkContext stage) {
    return new Cost(
        stage.redis().orElseThrow().counters(),
        stage.scheduler().cpu(),
        stage.scheduler().cpuOfEventLoops());
  }

  Cost since(Cost before) {
    RedisProbe.Counters then = before.redis;
    return new Cost(
        new RedisProbe.Counters(
            redis.cpu().minus(then.cpu()),
            redis.scripts() - then.scripts(),
            redis.commands() - then.commands(),
            redis.received() - then.received(),
            redis.sent() - then.sent(),
            redis.memory() - then.memory()),
        program.map(time -> time.minus(before.program.orElseThrow())),
        eventLoops.map(time -> time.minus(before.eventLoops.orElseThrow())));
  }

  /**
   * @param path what was done
   * @param unit of what, {@code job}
   * @param count how often
   */
  List<ResultRow> figures(String path, String unit, double count) {
    String name = "cost " + path + ": ";
    String per = "/" + unit;
    List<ResultRow> figures = new ArrayList<>();
    figures.add(ResultRow.of(name + "CPU of Redis, us" + per, micros(redis.cpu()) / count));
    figures.add(ResultRow.of(name + "scripts" + per, redis.scripts() / count));
    figures.add(ResultRow.of(name + "commands, in scripts too" + per, redis.commands() / count));
    figures.add(ResultRow.of(name + "to Redis, bytes" + per, redis.received() / count));
    figures.add(ResultRow.of(name + "from Redis, bytes" + per, redis.sent() / count));
    figures.add(ResultRow.of(name + "memory of Redis, bytes" + per, redis.memory() / count));
    eventLoops.ifPresent(
        time ->
            figures.add(ResultRow.of(name + "CPU of event loops, us" + per, micros(time) / count)));
    program.ifPresent(
        time ->
            figures.add(ResultRow.of(name + "CPU of the program, us" + per, micros(time) / count)));
    return figures;
  }

  private static double micros(Duration time) {
    return time.toNanos() / 1000.0;
  }
}
