package carillon.faults;

import carillon.support.RedisCluster;
import carillon.support.RedisSentinels;
import carillon.support.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * One way to break a running cluster.
 *
 * @param name by which it is chosen
 * @param what it does, in a line
 * @param steps what is broken, and healed, while the load goes on
 * @param setup of the cluster
 */
record Scenario(String name, String what, Steps steps, Setup setup) {
  /** What happens in a scenario. */
  @FunctionalInterface
  interface Steps {
    void run(World world) throws Exception;
  }

  /**
   * What a scenario runs on.
   *
   * @param backend starts the Redis
   * @param environment of the nodes
   * @param program what is put in front of the product on the class path
   * @param rate one-time jobs a second
   * @param recurring jobs that recur each second or every other
   * @param behaviour of the target
   * @param redisClock what Redis' clock says at an instant of this machine, at the latest
   * @param fakedNodes whether the clocks of nodes can be stepped
   * @param missing why this machine cannot run it, if it cannot
   */
  record Setup(
      Supplier<Backend> backend,
      Map<String, String> environment,
      Optional<Planted> program,
      int rate,
      int recurring,
      Plan.Behaviour behaviour,
      UnaryOperator<Instant> redisClock,
      boolean fakedNodes,
      Supplier<Optional<String>> missing) {}

  static final Duration LEASE = Duration.ofSeconds(5);

  /** On one Redis, under the usual load. */
  static Scenario of(String name, String what, Steps steps) {
    return new Scenario(
        name,
        what,
        steps,
        new Setup(
            () -> new Backend.Standalone(RedisServer.startWithPort()),
            Map.of(),
            Optional.empty(),
            60,
            12,
            Plan.Behaviour.SUCCEEDS,
            UnaryOperator.identity(),
            false,
            Optional::empty));
  }

  Scenario on(Supplier<Backend> backend) {
    return with(
        new Setup(
            backend,
            setup.environment,
            setup.program,
            setup.rate,
            setup.recurring,
            setup.behaviour,
            setup.redisClock,
            setup.fakedNodes,
            setup.missing));
  }

  Scenario onSentinels(String... config) {
    return on(() -> new Backend.Sentinel(RedisSentinels.start(config)));
  }

  Scenario onCluster() {
    return on(() -> new Backend.Cluster(RedisCluster.start()));
  }

  Scenario with(String variable, String value) {
    Map<String, String> all = new HashMap<>(setup.environment);
    all.put(variable, value);
    return with(
        new Setup(
            setup.backend,
            Map.copyOf(all),
            setup.program,
            setup.rate,
            setup.recurring,
            setup.behaviour,
            setup.redisClock,
            setup.fakedNodes,
            setup.missing));
  }

  Scenario with(Planted bug) {
    return with(
        new Setup(
            setup.backend,
            setup.environment,
            Optional.of(bug),
            setup.rate,
            setup.recurring,
            setup.behaviour,
            setup.redisClock,
            setup.fakedNodes,
            setup.missing));
  }

  Scenario load(int rate, int recurring, Plan.Behaviour behaviour) {
    return with(
        new Setup(
            setup.backend,
            setup.environment,
            setup.program,
            rate,
            recurring,
            behaviour,
            setup.redisClock,
            setup.fakedNodes,
            setup.missing));
  }

  Scenario redisClock(UnaryOperator<Instant> clock) {
    return with(
        new Setup(
            setup.backend,
            setup.environment,
            setup.program,
            setup.rate,
            setup.recurring,
            setup.behaviour,
            clock,
            setup.fakedNodes,
            setup.missing));
  }

  Scenario withFakedNodes() {
    return with(
        new Setup(
            setup.backend,
            setup.environment,
            setup.program,
            setup.rate,
            setup.recurring,
            setup.behaviour,
            setup.redisClock,
            true,
            setup.missing));
  }

  Scenario unless(Supplier<Optional<String>> missing) {
    return with(
        new Setup(
            setup.backend,
            setup.environment,
            setup.program,
            setup.rate,
            setup.recurring,
            setup.behaviour,
            setup.redisClock,
            setup.fakedNodes,
            missing));
  }

  private Scenario with(Setup other) {
    return new Scenario(name, what, steps, other);
  }
}
