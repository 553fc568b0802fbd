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
 * One way to break a running cluster.
 *
 * @param name by which it is chosen
 * @param what it does, in a line
 * @param steps what is broken, and healed, while the load goes on
 * @param setup of the cluster
 */
record Scenario(String name, String what, Steps steps, Setup setup) {
  static final Duration LEASE = Duration.ofSeconds(5);

  /** What happens in a scenario. */
  @FunctionalInterface
  interface Steps {
    void run(World world) throws Exception;
  }

  /** What a scenario runs on: unless it says otherwise, three nodes on one Redis. */
  static final class Setup {
    /** Starts the Redis. */
    Supplier<Backend> backend = () -> new Backend.Standalone(RedisServer.startWithPort());

    int nodes = 3;

    /** What the nodes are told beyond the usual. */
    Map<String, String> environment = Map.of();

    /** What is put in front of the product on the class path. */
    Optional<Planted> program = Optional.empty();

    /** One-time jobs a second. */
    int rate = 60;

    /** Jobs that recur each second or every other. */
    int recurring = 12;

    /** Behaviour of the target. */
    Plan.Behaviour behaviour = Plan.Behaviour.SUCCEEDS;

    /** Redis' clock. */
    SteppedClock clock = new SteppedClock();

    /** No call is later than this, if there is such a bound. */
    Optional<Duration> latest = Optional.empty();

    /** Whether finished jobs are removed while it runs. */
    boolean purging;

    /** Whether the clocks of nodes can be stepped. */
    boolean fakedNodes;

    /** Why this machine cannot run it, if it cannot. */
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

  /** On one Redis, under the usual load. */
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

  /** Finished jobs are removed after so long, as an ISO 8601 duration or like {@code 1h}. */
  Scenario keepingFinished(String time) {
    return with("CARILLON_JOBS_KEEP_FINISHED", time).but(setup -> setup.purging = true);
  }

  /** No call is to be later than this. */
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
