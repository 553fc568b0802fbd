package carillon.faults;

import carillon.faults.Journal.Answer;
import carillon.support.Await;
import carillon.support.RedisServer;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/** Cluster under test and its surroundings: nodes, Redis, target, client. */
final class World implements AutoCloseable {
  /** Maximum number of calls that a node has in flight, unless the scenario says otherwise. */
  private static final int IN_FLIGHT = 64;

  /**
   * Number of concurrent calls per node that measure the slots. Nodes with more slots than {@link
   * #IN_FLIGHT} are not measured.
   */
  private static final int MEASURED = 100;

  private static final int MEASUREMENTS = 3;
  private static final Duration ROOM_PATIENCE = Duration.ofSeconds(40);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration WARM = Duration.ofMillis(2500);

  private final Journal journal = new Journal();
  private final Stalls stalls = new Stalls(journal);
  private final JournaledTarget target = new JournaledTarget(journal);
  private final Backend backend;
  private final List<Proxy> proxies = new ArrayList<>();
  private final List<WallClock> clocks = new ArrayList<>();
  private final List<Member> members = new ArrayList<>();
  private final Driver driver = new Driver(journal, target, this::bases);
  private final Scenario.Setup setup;
  private final Queue<String> missed = new ConcurrentLinkedQueue<>();
  private BackgroundLoad load;

  World(Scenario.Setup setup, Path dir) {
    this.setup = setup;
    backend = setup.backend.get();
    Scripts scripts = new Scripts();
    List<String> program = Planted.program(setup.program, dir);
    for (int i = 0; i < setup.nodes; i++) {
      String name = "node-" + i;
      Map<String, String> environment = new HashMap<>(backend.settings(i));
      if (backend instanceof Backend.OneServer one) {
        Proxy proxy = new Proxy(one.server().port(), scripts);
        proxies.add(proxy);
        environment.put("CARILLON_REDIS_URI", proxy.uri());
      }
      environment.put("CARILLON_NODE_ID", name);
      environment.put("CARILLON_DISPATCH_REGION", name);
      environment.put("CARILLON_NODE_LEASE", Scenario.LEASE.toMillis() + "ms");
      environment.put("CARILLON_NODE_HEARTBEAT", "500ms");
      environment.put("CARILLON_DISPATCH_MAX_IN_FLIGHT", Integer.toString(IN_FLIGHT));
      environment.put("CARILLON_DISPATCH_TIMEOUT", "3s");
      environment.put("CARILLON_EGRESS_LOOPBACK", "allow");
      environment.putAll(setup.environment);
      if (setup.fakedNodes) {
        clocks.add(WallClock.in(dir, i));
        environment.putAll(clocks.get(i).environment());
      }
      members.add(new Member(name, dir, environment, program, journal));
    }
  }

  /**
   * Starts the nodes one after the other, then the load, and waits until calls come in time:
   * virtual machines are slow right after their start.
   */
  void begin() {
    members.forEach(Member::start);
    measureRoom(Capacity.BEFORE);
    Journal.Open cold = journal.begin("the nodes are cold", Journal.MACHINE, false);
    load = new BackgroundLoad(driver, setup.rate, setup.recurring, setup.behaviour);
    awaitCalls(setup.rate / 2 + 3 * setup.recurring);
    Await.until("calls in time", PATIENCE, this::isWarm);
    cold.over();
  }

  private boolean isWarm() {
    Instant since = Instant.now().minus(WARM);
    List<Journal.Call> latest =
        journal.calls().stream()
            .filter(call -> call.arrived().isAfter(since))
            .filter(call -> !call.job().startsWith(JournaledTarget.FAILING))
            .filter(call -> !JournaledTarget.isSlow(call.job()))
            .toList();
    return latest.size() > setup.recurring
        && latest.stream()
            .allMatch(call -> call.arrived().isBefore(call.nominal().plus(Checker.MOMENT)))
        && (setup.clock.isStepped() || load.recur(latest));
  }

  /**
   * Waits until calls come in time again, so that missed occurrences are called before the load
   * ends. If Redis' clock was set back, not all jobs are required: their next occurrence is in the
   * future.
   */
  void awaitCallsInTime() {
    Await.until("calls in time again", PATIENCE, this::isWarm);
  }

  /** Maximum number of calls that a node has in flight. */
  int places() {
    return Integer.parseInt(
        setup.environment.getOrDefault(
            "CARILLON_DISPATCH_MAX_IN_FLIGHT", Integer.toString(IN_FLIGHT)));
  }

  /**
   * Gives all nodes more calls of one target than they have slots. Measures again when slots seem
   * to be missing: a lost slot stays lost.
   */
  void measureRoom(String prefix) {
    if (places() > IN_FLIGHT) {
      return;
    }
    for (int i = 0; i < MEASUREMENTS; i++) {
      fillRoom(prefix + i + "-");
      if (Capacity.missing(journal.calls()) == 0) {
        return;
      }
    }
  }

  private void fillRoom(String prefix) {
    Instant due = Instant.now().plusMillis(800).truncatedTo(ChronoUnit.MILLIS);
    int count = MEASURED * setup.nodes;
    LoadScenarios.putAll(this, prefix, count, i -> due);
    LoadScenarios.awaitCalled(this, prefix, ROOM_PATIENCE);
  }

  /** Reports that a limit of the scenario was exceeded; the scenario continues. */
  void miss(String what) {
    missed.add(what);
  }

  /** Limits of the scenario that were exceeded. */
  List<String> missed() {
    return List.copyOf(missed);
  }

  /** Waits until every node reports that nothing is in flight. */
  void awaitIdle() {
    for (Member member : members) {
      Await.until(
          member.name() + " to have nothing in flight",
          Duration.ofSeconds(10),
          () -> {
            pass(Duration.ofMillis(100));
            String figures = driver.get(member.base(), "/metrics").join().body();
            return figures.contains("carillon_in_flight 0")
                && figures.contains("carillon_waiting 0");
          });
    }
  }

  /** Checks that the list of jobs can be read. */
  void awaitList() {
    String path = Driver.COLLECTIONS + Driver.DEFAULT + "/jobs";
    HttpResponse<String> list = driver.get(node(0).base(), path).join();
    if (list.statusCode() != 200) {
      throw new AssertionError("GET " + path + ": " + list.statusCode() + " " + list.body());
    }
  }

  private List<URI> bases() {
    return members.stream().map(Member::base).toList();
  }

  /** Puts {@code count} jobs beyond the load, due immediately, whose target takes seconds. */
  void slow(int count, String name) {
    load.slow(count, name);
  }

  Member node(int index) {
    return members.get(index);
  }

  List<Member> nodes() {
    return members;
  }

  /** Returns the wall clock of a node, if the scenario can step it. */
  WallClock clock(int index) {
    return clocks.get(index);
  }

  /** Sets Redis' clock ahead for all nodes from now on; only with a single Redis. */
  void redisClock(Duration ahead) {
    proxies.forEach(proxy -> proxy.clock(ahead));
  }

  /** Returns the proxy between this node and Redis; only with a single Redis. */
  Proxy proxy(int index) {
    return proxies.get(index);
  }

  RedisServer redis() {
    return ((Backend.OneServer) backend).server();
  }

  Backend backend() {
    return backend;
  }

  JournaledTarget target() {
    return target;
  }

  Driver driver() {
    return driver;
  }

  Journal journal() {
    return journal;
  }

  /** Notes a fault of Redis that begins now. */
  Journal.Open redisFault(String what, boolean repeats) {
    return journal.begin(what, Journal.REDIS, repeats);
  }

  /** Waits for {@code more} further calls. */
  void awaitCalls(int more) {
    int before = journal.callCount();
    Await.until(more + " calls", PATIENCE, () -> journal.callCount() >= before + more);
  }

  /** Waits for call {@code number} of a job, from 0. */
  Journal.Call awaitCall(String job, int number) {
    Supplier<List<Journal.Call>> calls =
        () -> journal.calls().stream().filter(call -> call.job().equals(job)).toList();
    Await.until("a call of " + job, PATIENCE, () -> calls.get().size() > number);
    return calls.get().get(number);
  }

  /** Waits for {@code time} while the load goes on. */
  void pass(Duration time) {
    Instant end = Instant.now().plus(time);
    Await.until("time to pass", time.plusSeconds(10), () -> Instant.now().isAfter(end));
  }

  void awaitAccepted(int more) {
    int before = accepted();
    Await.until(more + " accepted jobs", PATIENCE, () -> accepted() >= before + more);
  }

  private int accepted() {
    return (int)
        journal.changes().stream().filter(change -> change.answer() == Answer.ACCEPTED).count();
  }

  /** Waits until every node is ready, and checks that it accepts a job and the job is called. */
  void awaitHealth() {
    for (Member member : members) {
      String probe = "probe-" + member.name();
      Await.until(member.name() + " to be ready", PATIENCE, () -> isReady(member));
      Driver own = new Driver(journal, target, () -> List.of(member.base()));
      Plan now = Plan.once(Instant.now().truncatedTo(ChronoUnit.MILLIS)).with(setup.behaviour);
      Await.until(
          "a job to be accepted by " + member.name(),
          PATIENCE,
          () -> own.put(probe, now).join() == Answer.ACCEPTED);
      Await.until(
          "the call of " + probe,
          PATIENCE,
          () -> journal.calls().stream().anyMatch(call -> call.job().equals(probe)));
    }
  }

  private boolean isReady(Member member) {
    if (!member.isRunning()) {
      throw new AssertionError(member.name() + " has ended:\n" + tail(member.log()));
    }
    return driver
            .get(member.base(), "/health/ready")
            .handle((answer, failure) -> failure == null ? answer.statusCode() : 0)
            .join()
        == 200;
  }

  private static String tail(String log) {
    return log.substring(Math.max(0, log.length() - 4000));
  }

  /** Returns the content of Redis; only with a single Redis. */
  Optional<String> redisContent() {
    return backend instanceof Backend.OneServer one
        ? Optional.of(one.server().dump())
        : Optional.empty();
  }

  /** Ends the load and waits until the backlog is empty. */
  void settle(Duration patience) {
    load.finish();
    backend.backlog().awaitEmpty(patience);
  }

  @Override
  public void close() {
    if (load != null) {
      load.close();
    }
    stalls.close();
    members.forEach(Member::close);
    proxies.forEach(Proxy::close);
    backend.close();
    target.close();
  }
}
