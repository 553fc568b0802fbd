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
  /** Of a busy machine, on which a node that has just been started takes its targets for slow. */
  static final Duration PATIENCE = Duration.ofMinutes(3);

  /**
   * 0 for a load during which Redis is away: each request then waits on a connection of its own.
   */
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

  CarillonProcess start(Map<String, String> settings) {
    return CarillonProcess.start(dir, settings);
  }

  /** Runs the program to its end. */
  CarillonProcess.Exit run(Map<String, String> settings, String... arguments) {
    return CarillonProcess.run(dir, settings, arguments);
  }

  /** Settings from variables and their values, in turn; the last value counts. */
  static Map<String, String> settings(String... variables) {
    Map<String, String> settings = new HashMap<>();
    for (int i = 0; i < variables.length; i += 2) {
      settings.put(variables[i], variables[i + 1]);
    }
    return settings;
  }

  /** Settings of a node on a Redis of the test, whose jobs may call the test. */
  static Map<String, String> on(String redis, String... more) {
    Map<String, String> settings =
        settings("CARILLON_REDIS_URI", redis, "CARILLON_EGRESS_LOOPBACK", "allow");
    settings.putAll(settings(more));
    return settings;
  }

  static Map<String, String> on(RedisServer redis, String... more) {
    return on(redis.uri().toString(), more);
  }

  /** A whole millisecond some time from now. */
  static Instant in(Duration time) {
    return Instant.now().plus(time).truncatedTo(ChronoUnit.MILLIS);
  }

  /**
   * Waits until every job that is owed was called and nothing is left to do; asserts that no call
   * was early or missing.
   *
   * @param redis asks Redis one command
   */
  static void awaitSettled(Ledger ledger, UnaryOperator<String> redis) {
    ledger.awaitSettled(PATIENCE);
    new Backlog(redis).awaitEmpty(PATIENCE);
    assertEquals(List.of(), ledger.faults());
  }

  /** The same, and asserts that no job was called twice. */
  static void awaitSettledOnce(Ledger ledger, UnaryOperator<String> redis) {
    awaitSettled(ledger, redis);
    assertEquals(Map.of(), ledger.repeated());
  }

  /** Asserts that nodes are ready. */
  static void assertReady(CarillonProcess... nodes) {
    for (CarillonProcess node : nodes) {
      assertEquals(200, node.get("/health/ready").statusCode());
    }
  }
}
