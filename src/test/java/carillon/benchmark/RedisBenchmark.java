package carillon.benchmark;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** A ceiling: {@code redis-benchmark}, when it is on the PATH, running the storing script. */
final class RedisBenchmark {
  private static final Pattern RATE = Pattern.compile("([0-9.]+) requests per second");
  private static final List<String> OPTIONS =
      List.of("-q", "-n", "200000", "-c", "16", "-P", "16", "-r", "100000");

  private RedisBenchmark() {}

  /**
   * Scripts per second; empty, with a line on standard error, when it cannot be run.
   *
   * @param prefix of the keys that it writes
   */
  static Optional<Double> scriptsPerSecond(RedisProbe redis, String prefix) {
    try {
      Process process =
          new ProcessBuilder(command(redis, prefix)).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      Optional<Double> rate = lastRate(output);
      if (rate.isEmpty()) {
        System.err.println("benchmark: redis-benchmark is skipped, it said: " + output.strip());
      }
      return rate;
    } catch (IOException e) {
      System.err.println("benchmark: redis-benchmark is skipped: " + e.getMessage());
      return Optional.empty();
    }
  }

  private static List<String> command(RedisProbe redis, String prefix) {
    List<String> command = new ArrayList<>(List.of("redis-benchmark"));
    command.addAll(server(redis.uri()));
    command.addAll(OPTIONS);
    String definition = "x".repeat(StoreBaseline.DEFINITION_BYTES);
    String script = redis.load(StoreBaseline.SCRIPT);
    command.addAll(
        List.of("EVALSHA", script, "2", prefix + "__rand_int__", prefix + "due", definition, "1"));
    return command;
  }

  private static List<String> server(URI uri) {
    return uri.getScheme().equals("unix")
        ? List.of("-s", uri.getPath())
        : List.of("-u", uri.toString());
  }

  /** It says the rate so far again and again; the last one counts. */
  private static Optional<Double> lastRate(String output) {
    return RATE.matcher(output)
        .results()
        .map(rate -> Double.valueOf(rate.group(1)))
        .reduce((earlier, later) -> later);
  }
}
