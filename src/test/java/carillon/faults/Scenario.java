package carillon.faults;

import carillon.support.RedisCluster;
import carillon.support.RedisSentinels;
import carillon.support.RedisServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Sequence of faults in a running cluster.
 *
 * @param name by which it is chosen
 * @param what it does, in one line
 * @param steps breaks and heals the cluster while the load goes on
 * @param setup of the cluster
 */
record Scenario(String name, String what, Steps steps, Setup setup) {
  static final Duration LEASE = Duration.ofSeconds(5);

  /** Steps of a scenario. */
  @FunctionalInterface
  interface Steps {
    void run(World world) throws Exception;
  }

  /** Setup of a scenario. The default is three nodes on one Redis. */
  static final class Setup {
    Supplier<Backend> backend = () -> new Backend.Standalone(RedisServer.startWithPort());

    int nodes = 3;

    /** Additional environment variables of the nodes. */
    Map<String, String> environment = Map.of();

    /** Bug that is put in front of the product on the class path. */
    Optional<Planted> program = Optional.empty();

    /** Number of one-time jobs per second. */
    int rate = 60;

    /** Number of jobs that recur each second or every other second. */
    int recurring = 12;

    Plan.Behaviour behaviour = Plan.Behaviour.SUCCEEDS;

    SteppedClock clock = new SteppedClock();

    /** Maximum lateness of a call, if there is such a limit. */
    Optional<Duration> latest = Optional.empty();

    /** Whether finished jobs are removed during the scenario. */
    boolean purging;

    /** Whether the clocks of nodes can be stepped. */
    boolean fakedNodes;

    /** Why this machine cannot run the scenario, if it cannot. */
    Supplier<Optional<String>> missing = Optional::empty;

    private Setup() {}

    private Setup(Setup other) {
      backend = other.backend;
      nodes = other.nodes;
      environment = other.environment;
      program = other.program;
      rate = other.rate;
      recurring = other.recurring;
      behaviour = other.behaviour;
      clock = other.clock;
      latest = other.latest;
      purging = other.purging;
      fakedNodes = other.fakedNodes;
      missing = other.missing;
    }
  }

  /** Creates a scenario on one Redis with the default load. */
  static Scenario of(String name, String what, Steps steps) {
    return new Scenario(name, what, steps, new Setup());
  }

  private Scenario but(Consumer<Setup> change) {
    Setup other = new Setup(setup);
    change.accept(other);
    return new Scenario(name, what, steps, other);
  }

  Scenario on(Supplier<Backend> backend) {
    return but(setup -> setup.backend = backend);
  }

  Scenario onSentinels(String... config) {
    return on(() -> new Backend.Sentinel(RedisSentinels.start(config)));
  }

  Scenario onCluster() {
    return on(() -> new Backend.Cluster(RedisCluster.start()));
  }

  Scenario nodes(int number) {
    return but(setup -> setup.nodes = number);
  }

  Scenario with(String variable, String value) {
    Map<String, String> all = new HashMap<>(setup.environment);
    all.put(variable, value);
    return but(setup -> setup.environment = Map.copyOf(all));
  }

  Scenario with(Planted bug) {
    return but(setup -> setup.program = Optional.of(bug));
  }

  Scenario load(int rate, int recurring, Plan.Behaviour behaviour) {
    return but(
        setup -> {
          setup.rate = rate;
          setup.recurring = recurring;
          setup.behaviour = behaviour;
        });
  }

  Scenario clock(SteppedClock clock) {
    return but(setup -> setup.clock = clock);
  }

  /**
   * Removes finished jobs after {@code time}, an ISO 8601 duration or a value such as {@code 1h}.
   */
  Scenario keepingFinished(String time) {
    return with("CARILLON_JOBS_KEEP_FINISHED", time).but(setup -> setup.purging = true);
  }

  /** Limits the lateness of every call. */
  Scenario noLaterThan(Duration latest) {
    return but(setup -> setup.latest = Optional.of(latest));
  }

  Scenario withFakedNodes() {
    return but(setup -> setup.fakedNodes = true);
  }

  Scenario unless(Supplier<Optional<String>> missing) {
    return but(setup -> setup.missing = missing);
  }
}
