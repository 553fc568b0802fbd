package carillon.benchmark;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A ceiling: {@code redis-benchmark}, when it is on the PATH, running the storing script. */
final class RedisBenchmark {
  private static final Pattern RATE = Pattern.compile("([0-9.]+) requests per second");
  private static final List<String> OPTIONS =
      List.of("-q", "-n", "200000", "-c", "16", "-P", "16", "-r", "100000");

  private final RedisProbe redis;
  private final String prefix;

  /**
   * @param prefix of the keys that it writes
   */
  RedisBenchmark(RedisProbe redis, String prefix) {
    this.redis = redis;
    this.prefix = prefix;
  }

  /** Empty, with a line on standard error, when it cannot be run. */
  Optional<Double> scriptsPerSecond() {
    try {
      Process process = new ProcessBuilder(command()).redirectErrorStream(true).start();
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

  private List<String> command() {
    List<String> command = new ArrayList<>(List.of("redis-benchmark"));
    command.addAll(server(redis.uri()));
    command.addAll(OPTIONS);
    String definition = "x".repeat(StoreBaselineScript.DEFINITION_BYTES);
    String script = redis.load(StoreBaselineScript.TEXT);
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
  static Optional<Double> lastRate(String output) {
    Optional<Double> last = Optional.empty();
    Matcher matcher = RATE.matcher(output);
    while (matcher.find()) {
      last = Optional.of(Double.valueOf(matcher.group(1)));
    }
    return last;
  }
}
