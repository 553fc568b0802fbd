package carillon.benchmark;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Ceiling of the store: {@code redis-benchmark} runs the storing script, when it is on the PATH.
 */
final class RedisBenchmark {
  private static final Pattern RATE = Pattern.compile("([0-9.]+) requests per second");
  private static final List<String> OPTIONS =
      List.of("-q", "-n", "200000", "-c", "16", "-P", "16", "-r", "100000");

  private RedisBenchmark() {}

  /**
   * Returns the scripts per second. Empty, with a line on standard error, when {@code
   * redis-benchmark} cannot be run or prints no rate.
   *
   * @param prefix prefix of the keys that it writes
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

  /** Returns the last rate in the output. The rates before it are intermediate. */
  private static Optional<Double> lastRate(String output) {
    return RATE.matcher(output)
        .results()
        .map(rate -> Double.valueOf(rate.group(1)))
        .reduce((earlier, later) -> later);
  }
}
