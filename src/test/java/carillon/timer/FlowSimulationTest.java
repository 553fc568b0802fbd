package carillon.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.flow.Flow;
import carillon.flow.FlowDefinition.Breaker;
import carillon.flow.FlowDefinition.Rate;
import carillon.flow.FlowLane;
import carillon.flow.FlowRequest;
import carillon.job.action.Destination;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.store.resource.FlowLimiter;
import carillon.support.EventLoopTest;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import carillon.timer.Admission.AdmissionStep;
import carillon.timer.FlowWaitingLists.ListClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Simulation of the gates of several nodes with the real script, over random times. The promises of
 * a flow hold for all nodes together despite crashes and lost answers, and all attempts begin in
 * the end.
 */
@Tag("redis")
class FlowSimulationTest extends EventLoopTest {
  private static final Keys KEYS = new Keys("carillon", 4);
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final int PARTITIONS = 4;

  /** Time in ms until all nodes know a change. */
  private static final long TOLD_WITHIN = 100;

  private static final Destination TARGET = new Destination("target", 80);

  private RedisLink link;
  private Random random;
  private Flow flow;
  private long now = 1_800_000_000_000L;
  private boolean isDown;
  private boolean isRedisAway;
  private boolean isCalm;
  private final List<Node> nodes = new ArrayList<>();
  private final List<Long> begun = new ArrayList<>();
  private final Map<Integer, PriorityQueue<Long>> waiting = new HashMap<>();
  private int calls;
  private int mostCalls;
  private int mostMillis = 400;

  /** Places for calls of each node, and then the number of calls that found none. */
  private int places = Integer.MAX_VALUE;

  private int noPlace;

  @BeforeEach
  void open() {
    RedisServer.shared().flush();
    link = on(() -> RedisLink.open(vertx, RedisServer.shared().setup()));
    for (int partition = 0; partition < PARTITIONS; partition++) {
      waiting.put(partition, new PriorityQueue<>());
    }
  }

  @AfterEach
  void close() {
    on(link::close);
  }

  /** A call in flight. */
  private record Call(long ends, long generation) {}

  /** Node that serves some partitions. The list of each partition is served by a single node. */
  private final class Node implements FlowLine.AttemptFacts<Long> {
    private final String id;
    private final long skew;
    private final Steadiness steadiness;
    private FlowGate<Long> gate;
    private FlowLimiter limiter;
    private List<Call> inFlight = new ArrayList<>();

    Node(String id, long skew) {
      this.id = id;
      this.skew = skew;
      this.steadiness =
          new Steadiness(
              new TestClock(Instant.EPOCH), () -> TimeUnit.MILLISECONDS.toNanos(now), LEASE);
      begin();
    }

    private void begin() {
      gate = new FlowGate<>(flow, LEASE, this);
      limiter = new FlowLimiter(link, KEYS, id, () -> Instant.ofEpochMilli(clock()));
      lookAtLists();
    }

    @Override
    public long score(Long run) {
      return run;
    }

    @Override
    public Destination destination(Long run) {
      return TARGET;
    }

    @Override
    public int places(Destination destination) {
      return places - inFlight.size();
    }

    @Override
    public boolean isQuick(Destination destination) {
      return true;
    }

    private void lookAtLists() {
      waiting.forEach(
          (partition, list) -> {
            if (serves(partition)) {
              OptionalLong oldest =
                  list.isEmpty() ? OptionalLong.empty() : OptionalLong.of(list.peek());
              gate.setWaiting(partition, oldest, list.size());
            }
          });
    }

    private boolean serves(int partition) {
      return nodes.isEmpty() || nodes.get(partition % nodes.size()) == this;
    }

    private long clock() {
      return now + skew;
    }

    void due(long run) {
      AdmissionStep verdict = gate.admit(run, clock());
      if (verdict == AdmissionStep.START) {
        start(run);
      } else if (verdict == AdmissionStep.PARK) {
        park(run);
      }
    }

    private void park(long run) {
      int partition = random.nextInt(PARTITIONS);
      waiting.get(partition).add(run);
      if (serves(partition)) {
        gate.parked(partition, run);
      }
    }

    private void start(long run) {
      if (inFlight.size() >= places) {
        noPlace++;
        gate.giveBack();
        gate.full(clock(), () -> clock() + 10);
        keepOrPark(run);
        return;
      }
      makeCall();
    }

    private void keepOrPark(long run) {
      if (gate.keepOrNot(run, clock()) == AdmissionStep.PARK) {
        park(run);
      }
    }

    private void beginKept() {
      boolean[] isFull = {false};
      FlowGateFixture.beginKept(
          gate,
          clock(),
          run -> {
            isFull[0] |= inFlight.size() >= places;
            if (!isFull[0]) {
              makeCall();
            }
            return !isFull[0];
          });
      if (isFull[0]) {
        noPlace++;
        gate.full(clock(), () -> clock() + 10);
      }
      gate.leave(clock()).forEach(this::park);
    }

    private void makeCall() {
      begun.add(now);
      calls++;
      mostCalls = Math.max(mostCalls, calls);
      inFlight.add(new Call(now + random.nextInt(isDown ? 50 : mostMillis), gate.generation()));
    }

    void step() {
      if (!isRedisAway) {
        steadiness.answered(TimeUnit.MILLISECONDS.toNanos(now), clock());
      }
      List<Call> ended = inFlight.stream().filter(call -> call.ends <= now).toList();
      inFlight.removeAll(ended);
      for (Call call : ended) {
        calls--;
        gate.ended(call.generation, Optional.of(!isDown), OptionalLong.empty(), clock());
      }
      beginKept();
      gate.request(clock()).ifPresent(this::ask);
      for (Optional<ListClaim> claim = gate.claim(clock(), 50);
          claim.isPresent();
          claim = gate.claim(clock(), 50)) {
        take(claim.get());
      }
    }

    private void ask(FlowRequest request) {
      boolean isSent = !isRedisAway && (isCalm || random.nextInt(20) > 0);
      boolean isLost = !isCalm && random.nextInt(20) == 0;
      var grant =
          isSent
              ? on(
                  () ->
                      limiter.take(
                          gate.flow(),
                          FlowLane.shared(gate.flow()),
                          request,
                          LEASE,
                          PATIENCE,
                          () -> steadiness.mayJudge(clock())))
              : null;
      if (grant == null || isLost) {
        gate.failed(clock());
      } else {
        gate.answered(grant, clock());
      }
      beginKept();
    }

    private void take(ListClaim claim) {
      if (isRedisAway) {
        gate.claimFailed(claim, clock());
        return;
      }
      PriorityQueue<Long> list = waiting.get(claim.partition());
      List<Long> runs = new ArrayList<>();
      while (!list.isEmpty() && runs.size() < claim.limit()) {
        runs.add(list.remove());
      }
      OptionalLong oldest = list.isEmpty() ? OptionalLong.empty() : OptionalLong.of(list.peek());
      gate.claimed(claim, runs.size(), oldest, clock());
      for (long run : runs) {
        boolean isGone = random.nextInt(10) == 0;
        if (!isGone && gate.spend(clock())) {
          start(run);
        } else if (!isGone) {
          keepOrPark(run);
        }
      }
    }

    /** Ends all calls in flight. Their attempts are repeated. */
    void crash() {
      calls -= inFlight.size();
      inFlight = new ArrayList<>();
      gate.drain().forEach(this::park);
      begin();
    }
  }

  private void simulate(long seed, Flow limits, int steps) {
    random = new Random(seed);
    flow = limits;
    int count = 1 + random.nextInt(4);
    List<Node> made = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      made.add(new Node("n" + i, i == 0 ? 0 : random.nextInt(11)));
    }
    nodes.addAll(made);
    for (int i = 0; i < steps; i++) {
      now += random.nextInt(20);
      if (random.nextInt(6) == 0) {
        for (int runs = random.nextInt(random.nextInt(10) == 0 ? 60 : 4); runs > 0; runs--) {
          nodes.get(random.nextInt(count)).due(now);
        }
      }
      if (random.nextInt(400) == 0) {
        nodes.get(random.nextInt(count)).crash();
      }
      stepAll(i % 50 == 0);
    }
  }

  private void stepAll(boolean looks) {
    for (Node node : nodes) {
      node.step();
      if (looks) {
        node.lookAtLists();
      }
    }
  }

  /** Returns the number of waiting attempts, in Redis or kept. */
  private int waits() {
    return waiting.values().stream().mapToInt(PriorityQueue::size).sum()
        + nodes.stream().mapToInt(node -> node.gate.kept()).sum();
  }

  /** Stops all failures, and checks that all waiting attempts begin. */
  private void settle(long within) {
    isCalm = true;
    isDown = false;
    long end = now + within;
    while (now < end && (calls > 0 || waits() > 0)) {
      now += 10;
      stepAll(true);
    }
    assertEquals(0, waits(), "waits after " + within);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void noMoreBeginThanTheRateAllowsInAnyTime(long seed) {
    Random chosen = new Random(seed);
    int limit = 1 + chosen.nextInt(100);
    Rate rate = new Rate(limit, Duration.ofSeconds(1), 1 + chosen.nextInt(limit));

    simulate(
        seed, FlowGateFixture.flow(Optional.of(rate), OptionalInt.empty(), Optional.empty()), 3000);
    int left = waits();
    settle(5000 + left * 1500L / limit);

    assertWithin(rate);
  }

  private void assertWithin(Rate rate) {
    for (int first = 0; first < begun.size(); first++) {
      for (int last = first; last < begun.size(); last++) {
        // The time includes 50 ms for kept tokens and 20 ms for clocks that differ.
        long time = begun.get(last) - begun.get(first) + FlowTokens.TTL + 20;
        int calls = last - first + 1;
        assertTrue(
            calls <= rate.burst() + (double) rate.limit() * time / 1000,
            () -> calls + " calls in " + time + " ms of " + rate);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 100})
  void aRateIsReachedWhateverItsBurst(int burst) {
    assertReached(new Rate(1000, Duration.ofSeconds(1), burst), OptionalInt.empty());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 100})
  void aRateIsReachedWhateverItsBurstBesideAParallelism(int burst) {
    mostMillis = 20;
    assertReached(new Rate(1000, Duration.ofSeconds(1), burst), OptionalInt.of(50));
  }

  private void assertReached(Rate rate, OptionalInt parallelism) {
    random = new Random(rate.burst());
    flow = FlowGateFixture.flow(Optional.of(rate), parallelism, Optional.empty());
    isCalm = true;
    nodes.add(new Node("n", 0));
    long start = now;

    for (int i = 0; i < 600; i++) {
      nodes.get(0).due(now);
    }
    while (waits() > 0) {
      now++;
      stepAll(true);
    }

    assertTrue(now - start < 1000, "600 calls at " + rate + " took " + (now - start) + " ms");
    assertWithin(rate);
  }

  /** Each attempt begins with one try or little more, and all places stay in use. */
  @ParameterizedTest
  @ValueSource(ints = {8, 50, 200})
  void aHerdBeyondThePlacesForItIsNotTriedInVain(int count) {
    random = new Random(count);
    flow = FlowGateFixture.flow(fast(), OptionalInt.empty(), Optional.empty());
    isCalm = true;
    places = count;
    mostMillis = 20;
    nodes.add(new Node("n", 0));
    long start = now;

    int herd = count * 50;
    for (int i = 0; i < herd; i++) {
      nodes.get(0).due(now);
    }
    while (waits() > 0) {
      now++;
      stepAll(false);
    }

    int ideal = herd * mostMillis / 2 / places;
    assertTrue(now - start < 2L * ideal, "took " + (now - start) + " ms instead of " + ideal);
    assertTrue(noPlace < herd / 4, noPlace + " of " + herd + " found no place");
  }

  private static Optional<Rate> fast() {
    return Optional.of(new Rate(100_000, Duration.ofSeconds(1), 1000));
  }

  @ParameterizedTest
  @ValueSource(longs = {41, 42, 43, 44, 45, 46})
  void whatWaitsBeginsHoweverFewPlacesThereAre(long seed) {
    places = 1 + new Random(seed).nextInt(5);
    simulate(seed, FlowGateFixture.flow(fast(), OptionalInt.empty(), Optional.empty()), 2000);
    int left = waits();
    settle(5000 + left * 600L / places);
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15, 16})
  void noMoreAreInFlightThanTheParallelism(long seed) {
    int parallelism = 1 + new Random(seed).nextInt(12);

    simulate(
        seed,
        FlowGateFixture.flow(Optional.empty(), OptionalInt.of(parallelism), Optional.empty()),
        3000);
    int left = waits();
    settle(10_000 + left * 600L / parallelism);

    assertEquals(parallelism, mostCalls);
  }

  /** The first node to ask afterwards finds no report of any other node for a lease. */
  @ParameterizedTest
  @ValueSource(longs = {51, 52, 53, 54, 55, 56})
  void noMoreAreInFlightThoughRedisWasAwayForLongerThanTheLease(long seed) {
    int parallelism = 3;
    mostMillis = 20_000;
    simulate(
        seed,
        FlowGateFixture.flow(Optional.empty(), OptionalInt.of(parallelism), Optional.empty()),
        1000);

    isRedisAway = true;
    simulateOn(300 + random.nextInt(300));
    isRedisAway = false;
    simulateOn(1000);

    assertEquals(parallelism, mostCalls);
    mostMillis = 400;
    int left = waits();
    settle(30_000 + left * 600L / parallelism);
  }

  /** Earlier calls may exceed the new parallelism by far. None begins until enough have ended. */
  @ParameterizedTest
  @ValueSource(longs = {31, 32, 33, 34, 35, 36})
  void noneBeginsAboveAParallelismThatWasLowered(long seed) {
    mostMillis = 4000;
    simulate(
        seed, FlowGateFixture.flow(Optional.empty(), OptionalInt.of(12), Optional.empty()), 600);
    nodes.forEach(node -> node.due(now));
    flow = FlowGateFixture.flow(Optional.empty(), OptionalInt.of(2), Optional.empty(), 8);
    long told = now + TOLD_WITHIN;
    while (now < told) {
      Node one = nodes.get(random.nextInt(nodes.size()));
      one.gate.update(flow);
      now += random.nextInt(10);
      stepAll(false);
    }
    nodes.forEach(node -> node.gate.update(flow));
    long tokensEnd = now + FlowTokens.TTL;
    while (now < tokensEnd) {
      now += 5;
      stepAll(false);
    }

    mostCalls = 0;
    simulateOn(1500);

    assertTrue(mostCalls <= 2, () -> mostCalls + " in flight when one began");
    assertEquals(2, mostCalls, "they go on");
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23, 24})
  void aBreakerLetsProbesThroughAndNeverStaysHalfOpen(long seed) {
    Breaker breaker =
        new Breaker(
            OptionalInt.of(5),
            OptionalDouble.empty(),
            10,
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(4),
            2);
    Flow limits = FlowGateFixture.flow(Optional.empty(), OptionalInt.of(9), Optional.of(breaker));
    simulate(seed, limits, 300);
    isDown = true;
    simulateOn(300);
    int before = begun.size();
    long since = now;
    simulateOn(1500);

    long rounds = 2 + (now - since) / 1000;
    assertTrue(
        begun.size() - before <= rounds * breaker.probes(),
        begun.size() - before + " probes in " + (now - since) + " ms");
    assertTrue(begun.size() > before, "probes go");
    int left = waits();
    settle(30_000 + left * 200L);
  }

  private void simulateOn(int steps) {
    for (int i = 0; i < steps; i++) {
      now += random.nextInt(20);
      if (random.nextInt(6) == 0) {
        nodes.get(random.nextInt(nodes.size())).due(now);
      }
      if (random.nextInt(400) == 0) {
        nodes.get(random.nextInt(nodes.size())).crash();
      }
      stepAll(i % 50 == 0);
    }
  }
}
