package carillon.timer;

import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.flow.Flow;
import carillon.flow.FlowDefinition;
import carillon.flow.FlowDefinition.Breaker;
import carillon.flow.FlowDefinition.Rate;
import carillon.flow.FlowGrant;
import carillon.flow.FlowGrant.BreakerState;
import carillon.flow.FlowName;
import carillon.job.action.Destination;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** Gates of a flow with a rate and of a flow with places, and answers of Redis to them. */
abstract class FlowGateFixture {
  static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  static final long T = NOON.toEpochMilli();
  static final Duration LEASE = Duration.ofSeconds(9);
  static final Optional<Rate> RATE = Optional.of(new Rate(10, Duration.ofSeconds(1), 5));

  static Flow flow(Optional<Rate> rate, OptionalInt parallelism, Optional<Breaker> breaker) {
    return flow(rate, parallelism, breaker, 7);
  }

  static Flow flow(
      Optional<Rate> rate, OptionalInt parallelism, Optional<Breaker> breaker, long revision) {
    return new Flow(
        new FlowName("s", "g", "crm"),
        new FlowDefinition(List.of(), List.of(), rate, parallelism, breaker, true),
        Optional.empty(),
        revision,
        NOON,
        NOON);
  }

  /** Attempts that find a place at every destination. */
  static <W> FlowLine.AttemptFacts<W> ofScore(ToLongFunction<W> score) {
    return new Runs<>(score, new HashMap<>());
  }

  /**
   * Attempts whose first word is the destination.
   *
   * @param places of the destinations that have few
   */
  record Runs<W>(ToLongFunction<W> scores, Map<String, Integer> places)
      implements FlowLine.AttemptFacts<W> {
    @Override
    public long score(W run) {
      return scores.applyAsLong(run);
    }

    @Override
    public Destination destination(W run) {
      return new Destination(run.toString().replaceAll(" .*", ""), 80);
    }

    @Override
    public int places(Destination destination) {
      return places.getOrDefault(destination.host(), 1000);
    }

    @Override
    public boolean isQuick(Destination destination) {
      return destination.host().equals("quick");
    }
  }

  final FlowGate<String> limited =
      new FlowGate<>(flow(RATE, OptionalInt.empty(), Optional.empty()), LEASE, ofScore(run -> T));
  final FlowGate<String> parallel =
      new FlowGate<>(
          flow(Optional.empty(), OptionalInt.of(2), Optional.empty()), LEASE, ofScore(run -> T));

  static FlowGrant grant(int tokens, long at, long again, int share) {
    return new FlowGrant(tokens, at, again, share, 0, BreakerState.CLOSED, Optional.empty());
  }

  /**
   * Outcome of kept attempts after the answer to a request.
   *
   * @param start their calls begin
   * @param park they wait in Redis
   */
  record Answered<W>(List<W> start, List<W> park) {}

  static <W> Answered<W> answered(FlowGate<W> gate, FlowGrant grant, long now) {
    gate.answered(grant, now);
    List<W> begun = new ArrayList<>();
    beginKept(gate, now, begun::add);
    return new Answered<>(begun, gate.leave(now));
  }

  /** Begins the kept attempts that have tokens and places. */
  static <W> void beginKept(FlowGate<W> gate, long now, Predicate<W> begins) {
    Optional<W> next = gate.nextKept(now, begins);
    while (next.isPresent()) {
      next = gate.nextKept(now, begins);
    }
  }

  static Answered<String> answer(FlowGate<String> gate, int tokens, long now, long again) {
    assertTrue(gate.request(now).isPresent(), "asks");
    return answered(gate, grant(tokens, now, again, 2), now);
  }
}
