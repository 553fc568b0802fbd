package carillon.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.flow.FlowDefinition.Breaker;
import carillon.flow.FlowGrant;
import carillon.flow.FlowGrant.BreakerState;
import carillon.flow.FlowRequest;
import carillon.timer.FlowWaitingLists.ListClaim;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Tests of a gate's reports about calls to a failing target, and of its valid tokens. */
class FlowGateBreakerTest {
  private static final long T = FlowGateFixture.T;
  private static final Optional<Breaker> BREAKER =
      Optional.of(
          new Breaker(
              OptionalInt.of(3),
              OptionalDouble.empty(),
              10,
              Duration.ofSeconds(1),
              Duration.ofSeconds(1),
              Duration.ofSeconds(1),
              1));

  private final FlowGate<String> broken =
      new FlowGate<>(
          FlowGateFixture.flow(Optional.empty(), OptionalInt.empty(), BREAKER),
          FlowGateFixture.LEASE,
          FlowGateFixture.ofScore(run -> T));

  /** Answers as Redis at T, in the fifth generation of the breaker. */
  private void answer(int tokens, BreakerState state) {
    FlowGateFixture.answered(broken, new FlowGrant(tokens, T, T, 9, 5, state, Optional.empty()), T);
  }

  @Test
  void whatEndsIsCountedForItsTurnOfTheBreaker() {
    for (String run : List.of("a", "b", "c", "d")) {
      broken.admit(run, T);
    }
    broken.request(T);
    answer(4, BreakerState.CLOSED);

    broken.ended(5, Optional.of(false), OptionalLong.empty(), T);
    broken.ended(5, Optional.of(true), OptionalLong.empty(), T);
    broken.ended(5, Optional.of(false), OptionalLong.empty(), T);
    broken.ended(4, Optional.of(false), OptionalLong.empty(), T);
    FlowRequest request = broken.request(T).orElseThrow();

    assertEquals(Optional.of(new FlowRequest.Outcomes(5, 1, 2, 1, 0, 0)), request.outcomes());
  }

  @Test
  void aProbeInFlightIsToldOfUntilItEnds() {
    broken.admit("a", T);
    broken.request(T);
    answer(1, BreakerState.HALF_OPEN);

    assertEquals(
        Optional.of(new FlowRequest.Outcomes(5, 0, 0, 0, 1, 0)),
        broken.request(T + FlowGateFixture.LEASE.toMillis()).orElseThrow().outcomes());
    answer(0, BreakerState.HALF_OPEN);
    broken.ended(5, Optional.of(true), OptionalLong.empty(), T + FlowGateFixture.LEASE.toMillis());

    assertEquals(
        Optional.of(new FlowRequest.Outcomes(5, 1, 0, 0, 0, 0)),
        broken.request(T + FlowGateFixture.LEASE.toMillis()).orElseThrow().outcomes());
  }

  @Test
  void aProbeThatIsNotBegunAfterAllIsToldOfAtOnce() {
    broken.admit("a", T);
    broken.request(T);
    answer(1, BreakerState.HALF_OPEN);

    broken.ended(5, Optional.empty(), OptionalLong.empty(), T + 1);

    assertEquals(
        Optional.of(new FlowRequest.Outcomes(5, 0, 0, 0, 0, 1)),
        broken.request(T + 1).orElseThrow().outcomes());
  }

  @Test
  void aTokenOfAProbeThatIsNotSpentIsAProbeThatIsNotBegun() {
    broken.parked(1, T - 5);
    broken.request(T);
    answer(1, BreakerState.HALF_OPEN);

    FlowRequest request = broken.request(T + FlowTokens.TTL + 1).orElseThrow();

    assertEquals(Optional.of(new FlowRequest.Outcomes(5, 0, 0, 0, 0, 1)), request.outcomes());
    assertEquals(1, request.unused());
  }

  @Test
  void tokensOfAnotherTurnOfTheBreakerAreGivenBackAndAreNoProbes() {
    broken.parked(1, T - 5);
    broken.parked(2, T - 4);
    broken.request(T);
    answer(2, BreakerState.CLOSED);
    ListClaim slow = broken.claim(T, 1).orElseThrow();
    broken.ended(5, Optional.of(false), OptionalLong.empty(), T + 1);
    var unused = broken.request(T + 1).orElseThrow();
    FlowGateFixture.answered(
        broken,
        new FlowGrant(0, T + 1, T + 1000, 9, 6, BreakerState.OPEN, Optional.empty()),
        T + 1);

    broken.claimed(slow, 1, OptionalLong.empty(), T + 2);
    assertFalse(broken.spend(T + 2), "both were granted before the breaker opened");
    FlowRequest request = broken.request(T + 2).orElseThrow();

    assertEquals(2, request.unused());
    assertEquals(Optional.empty(), request.outcomes());
    FlowGateFixture.answered(
        broken,
        new FlowGrant(1, T + 2000, T + 2000, 9, 7, BreakerState.HALF_OPEN, Optional.empty()),
        T + 2000);
    assertTrue(broken.spend(T + 2000));
    assertFalse(broken.spend(T + 2000));
  }

  @Test
  void aCallOfAnotherTurnOfTheBreakerThatIsNotBegunIsNoProbe() {
    broken.admit("a", T);
    broken.request(T);
    answer(1, BreakerState.HALF_OPEN);

    broken.ended(4, Optional.empty(), OptionalLong.empty(), T + 1);

    assertEquals(
        Optional.of(new FlowRequest.Outcomes(5, 0, 0, 0, 1, 0)),
        broken.request(broken.wakeAt()).orElseThrow().outcomes());
  }
}
