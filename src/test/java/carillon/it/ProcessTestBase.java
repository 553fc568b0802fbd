package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.support.Backlog;
import carillon.support.CarillonProcess;
import carillon.support.Ledger;
import carillon.support.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.io.TempDir;

/** Base of tests that run nodes as processes in a directory of the test. */
abstract class ProcessTestBase {
  /** Patience for a busy machine, on which a new node may treat its targets as slow. */
  static final Duration PATIENCE = Duration.ofMinutes(3);

  /** Set to 0 for a load while Redis is away: each request then waits on a separate connection. */
  static final String CONNECTIONS_PER_ADDRESS = "CARILLON_HTTP_MAX_CONNECTIONS_PER_ADDRESS";

  @TempDir Path dir;

  /**
   * Starts a node with its embedded Redis, unless the settings name another.
   *
   * @param settings variables and their values, in turn
   */
  CarillonProcess start(String... settings) {
    return start(settings(settings));
  }

  /** Starts a node that does not refuse requests because a busy machine delays it. */
  CarillonProcess start(Map<String, String> settings) {
    Map<String, String> patient = new HashMap<>(settings);
    patient.putIfAbsent("CARILLON_HTTP_MAX_LAG", "1m");
    return CarillonProcess.start(dir, patient);
  }

  /** Runs the program and waits for its end. */
  CarillonProcess.Exit run(Map<String, String> settings, String... arguments) {
    return CarillonProcess.run(dir, settings, arguments);
  }

  /**
   * Returns settings from alternating variables and values; the last value of a variable counts.
   */
  static Map<String, String> settings(String... variables) {
    Map<String, String> settings = new HashMap<>();
    for (int i = 0; i < variables.length; i += 2) {
      settings.put(variables[i], variables[i + 1]);
    }
    return settings;
  }

  /** Returns settings of a node on a Redis of the test, with jobs that may call the test. */
  static Map<String, String> on(String redis, String... more) {
    Map<String, String> settings =
        settings(
            "CARILLON_REDIS_URI",
            redis,
            "CARILLON_EGRESS_LOOPBACK",
            "allow",
            "CARILLON_REDIS_COMMAND_TIMEOUT",
            "5s");
    settings.putAll(settings(more));
    return settings;
  }

  static Map<String, String> on(RedisServer redis, String... more) {
    return on(redis.uri().toString(), more);
  }

  /** Returns a whole millisecond that is {@code time} from now. */
  static Instant in(Duration time) {
    return Instant.now().plus(time).truncatedTo(ChronoUnit.MILLIS);
  }

  /**
   * Waits until every owed job was called and the backlog is empty; asserts that no call was early
   * or missing.
   *
   * @param redis sends one command to Redis
   */
  static void awaitSettled(Ledger ledger, UnaryOperator<String> redis) {
    ledger.awaitSettled(PATIENCE);
    new Backlog(redis).awaitEmpty(PATIENCE);
    assertEquals(List.of(), ledger.faults());
  }

  /** Also asserts that no job was called twice. */
  static void awaitSettledOnce(Ledger ledger, UnaryOperator<String> redis) {
    awaitSettled(ledger, redis);
    assertEquals(Map.of(), ledger.repeated());
  }

  static void assertReady(CarillonProcess... nodes) {
    for (CarillonProcess node : nodes) {
      assertEquals(200, node.get("/health/ready").statusCode());
    }
  }
}
