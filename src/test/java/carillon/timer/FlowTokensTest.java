package carillon.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.flow.Flow;
import carillon.flow.Flow.FlowPause;
import carillon.flow.FlowGrant;
import carillon.flow.FlowGrant.BreakerState;
import carillon.flow.FlowRequest;
import carillon.timer.Admission.AdmissionStep;
import carillon.timer.FlowWaitingLists.ListClaim;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of a gate's tokens: when they are valid, handed on, given back, requested and reported. */
class FlowTokensTest extends FlowGateFixture {
  private static FlowGate<String> gate(Flow flow) {
    return new FlowGate<>(flow, LEASE, ofScore(run -> T));
  }

  @Test
  void tokensThatAreNotSpentAreGivenBack() {
    limited.parked(1, T - 5);
    answer(limited, 2, T, T);
    ListClaim claim = limited.claim(T, 2).orElseThrow();
    limited.claimed(claim, 1, OptionalLong.empty(), T + 1);
    assertTrue(limited.spend(T + 1));

    assertEquals(T + FlowTokens.TTL + 1, limited.wakeAt());
    FlowRequest request = limited.request(T + FlowTokens.TTL + 1).orElseThrow();

    assertEquals(1, request.slots());
    assertEquals(1, request.unused());
    assertEquals(T, request.granted());
    assertEquals(0, request.want());
  }

  @ParameterizedTest
  @CsvSource({"0, 50", "30, 50", "45, 55", "200, 210"})
  void aTokenIsGoodFor50MsFromWhenItWasAskedForAndAMomentWhenRedisIsSlow(long took, long until) {
    limited.parked(1, T - 5);
    limited.request(T);
    limited.answered(grant(2, T, T, 2), T + took);

    assertTrue(limited.spend(T + until));
    assertFalse(limited.spend(T + until + 1));
  }

  @Test
  void aTokenIsGoodForAsLongAsItsClaimTakes() {
    limited.parked(1, T - 5);
    answer(limited, 1, T, T);
    ListClaim claim = limited.claim(T, 1).orElseThrow();

    limited.claimed(claim, 1, OptionalLong.empty(), T + 1000);

    assertTrue(limited.spend(T + 1000));
    assertFalse(limited.spend(T + 1000));
  }

  /** Begins as many calls as allowed, two, while a third waits. */
  private void beginTwoOfThree() {
    parallel.parked(1, T - 5);
    parallel.parked(1, T - 4);
    parallel.parked(1, T - 3);
    answer(parallel, 2, T, T + 100);
    parallel.claimed(parallel.claim(T, 9).orElseThrow(), 2, OptionalLong.of(T - 3), T);
    assertTrue(parallel.spend(T));
    assertTrue(parallel.spend(T));
  }

  @Test
  void aPlaceThatBecomesFreeGoesToTheNextOfThisNode() {
    beginTwoOfThree();

    parallel.ended(0, Optional.of(true), OptionalLong.empty(), T + 10);

    assertEquals(Optional.of(new ListClaim(1, 1, 0)), parallel.claim(T + 10, 9));
  }

  /** Parks several attempts in a list, and claims as many as there are tokens. */
  private static void claim(FlowGate<String> gate, FlowGrant grant) {
    gate.parked(1, T - 5);
    gate.request(T);
    gate.answered(grant, T);
    gate.claimed(gate.claim(T, 9).orElseThrow(), grant.tokens(), OptionalLong.of(T - 3), T);
  }

  @Test
  void aPlaceBeyondTheShareGoesToOthers() {
    claim(parallel, grant(2, T, T + 500, 1));
    assertTrue(parallel.spend(T));
    assertTrue(parallel.spend(T));

    parallel.ended(0, Optional.of(true), OptionalLong.empty(), T + 10);

    assertEquals(Optional.empty(), parallel.claim(T + 10, 9));
    assertEquals(T + 10 + FlowTokens.REPORT_DELAY, parallel.wakeAt());
    assertEquals(1, parallel.request(parallel.wakeAt()).orElseThrow().slots());
  }

  @Test
  void aPlaceThatThisNodeWaitsForIsAskedForAtOnceWhereEachCallNeedsATokenOfTheRate() {
    FlowGate<String> both = gate(flow(RATE, OptionalInt.of(2), Optional.empty()));
    claim(both, grant(2, T, T + 100, 2));
    assertTrue(both.spend(T));
    assertTrue(both.spend(T));

    both.ended(0, Optional.of(true), OptionalLong.empty(), T + 10);

    assertEquals(T + 10 + FlowTokens.PLACE_DELAY, both.wakeAt());
    assertEquals(1, both.request(both.wakeAt()).orElseThrow().want());
  }

  @Test
  void whereTheRateIsWhatIsShortAPlaceIsNotAskedForAtOnce() {
    FlowGate<String> both = gate(flow(RATE, OptionalInt.of(8), Optional.empty()));
    claim(both, grant(1, T, T + 500, 8));
    assertTrue(both.spend(T));

    both.ended(0, Optional.of(true), OptionalLong.empty(), T + 10);

    assertEquals(T + 10 + FlowTokens.REPORT_DELAY, both.wakeAt());
  }

  @Test
  void aGateThatIsStoppedGivesBackWhatItHasAndAsksForNothing() {
    parallel.parked(1, T - 5);
    answer(parallel, 2, T, T);
    parallel.parked(2, T - 4);

    parallel.stop(T + 1);

    FlowRequest told = parallel.request(T + 1).orElseThrow();
    assertEquals(0, told.want());
    assertEquals(2, told.unused());
    assertEquals(0, told.slots());
  }

  @Test
  void placesAreToldAgainBeforeTheirLeaseIsOver() {
    parallel.admit("a", T);
    answer(parallel, 1, T, T);

    assertEquals(T + 3000, parallel.wakeAt());
    assertEquals(1, parallel.request(T + 3000).orElseThrow().slots());
  }

  @Test
  void aDestinationThatAsksForRestIsToldOfAtOnce() {
    limited.admit("a", T);
    answer(limited, 1, T, T);

    limited.ended(0, Optional.of(false), OptionalLong.of(T + 5000), T + 3);

    assertEquals(
        OptionalLong.of(T + 5000), limited.request(limited.wakeAt()).orElseThrow().retryAt());
  }

  @Test
  void theLongestRestIsToldThatADestinationAsksFor() {
    limited.admit("a", T);
    limited.admit("b", T);
    answer(limited, 2, T, T);

    limited.ended(0, Optional.of(false), OptionalLong.of(T + 9000), T + 1);
    limited.ended(0, Optional.of(false), OptionalLong.of(T + 2000), T + 1);

    assertEquals(OptionalLong.of(T + 9000), limited.request(T + 1).orElseThrow().retryAt());
  }

  @Test
  void otherLimitsAreAskedForAtOnce() {
    limited.parked(1, T);
    answer(limited, 0, T, T + 60_000);
    assertEquals(T + 1000, limited.wakeAt());

    limited.update(flow(Optional.empty(), OptionalInt.empty(), Optional.empty()));

    assertTrue(limited.request(T + 1).isPresent());
  }

  @Test
  void aGateIsIdleOnceItHasToldThatNothingIsLeft() {
    assertTrue(limited.isIdle());
    limited.admit("a", T);
    answer(limited, 1, T, T);
    limited.ended(0, Optional.empty(), OptionalLong.empty(), T + 5);
    assertFalse(limited.isIdle());

    limited.request(limited.wakeAt());
    limited.answered(grant(0, T, T, 0), T);

    assertTrue(limited.isIdle());
    assertEquals(Long.MAX_VALUE, limited.wakeAt());
  }

  @Test
  void whoStepsTimeIsToldWhenMoreMayBegin() {
    assertEquals(FlowGrant.NEVER, limited.nextDue());
    limited.parked(3, T);
    assertEquals(0, limited.nextDue());
    limited.request(T);
    limited.answered(grant(0, T, T + 7_000, 0), T);
    assertEquals(T + 7_000, limited.nextDue());

    limited.hurry(T + 1);

    assertTrue(limited.request(T + 1).isPresent());
  }

  @Test
  void callsThatTakeThePlaceOfOthersAreCounted() {
    parallel.admit("a", T);
    answer(parallel, 1, T, T);
    parallel.parked(3, T);
    parallel.request(T);
    parallel.answered(new FlowGrant(0, T, T, 2, 0, BreakerState.CLOSED, Optional.empty()), T);

    parallel.ended(0, Optional.of(true), OptionalLong.empty(), T + 1);

    assertEquals(1, parallel.request(T + LEASE.toMillis()).orElseThrow().handedOn());
  }

  private static Flow paused(Optional<Instant> until) {
    Flow flow = flow(Optional.empty(), OptionalInt.of(2), Optional.empty());
    FlowPause pause = new FlowPause(NOON, "test", Optional.empty(), until);
    return new Flow(
        flow.name(), flow.definition(), Optional.of(pause), 8, flow.created(), flow.modified());
  }

  @Test
  void aTokenIsNotSpentWhileTheFlowIsPaused() {
    parallel.parked(1, T - 5);
    answer(parallel, 2, T, T);
    parallel.update(paused(Optional.of(NOON.plusMillis(20))));

    assertEquals(AdmissionStep.PARK, parallel.admit("new", T + 1));
    assertEquals(Optional.empty(), parallel.claim(T + 1, 9));
    assertFalse(parallel.spend(T + 1));
    assertEquals(2, parallel.request(T + 1).orElseThrow().unused());
  }

  @Test
  void whatWasGrantedBeforeAPauseIsGivenBackAfterIt() {
    parallel.admit("kept", T);
    parallel.request(T);
    parallel.update(paused(Optional.empty()));

    Answered<String> answered = answered(parallel, grant(1, T, T, 2), T + 1);

    assertEquals(List.of(), answered.start());
    assertEquals(1, parallel.request(T + 1).orElseThrow().unused());
    assertEquals(
        List.of("kept"), answered(parallel, grant(0, T, FlowGrant.NEVER, 0), T + 1).park());
  }

  /** The answer to a request from before the change is about a share of the old limit. */
  @Test
  void afterAChangeNoPlaceIsHandedOnUntilARequestThatKnowsOfItIsAnswered() {
    parallel.parked(1, T - 5);
    parallel.parked(1, T - 4);
    parallel.parked(1, T - 3);
    answer(parallel, 1, T, T);
    ListClaim claim = parallel.claim(T, 100).orElseThrow();
    parallel.claimed(claim, 1, OptionalLong.of(T - 4), T);
    parallel.spend(T);
    assertTrue(parallel.request(T).isPresent(), "asks for more");
    parallel.update(flow(Optional.empty(), OptionalInt.of(1), Optional.empty(), 8));
    parallel.answered(grant(0, T, T + 100, 2), T);

    parallel.ended(0, Optional.of(true), OptionalLong.empty(), T + 1);

    assertEquals(Optional.empty(), parallel.claim(T + 1, 100));
    assertTrue(parallel.wakeAt() <= T + 1, "asks at once");
    answer(parallel, 1, T + 1, T + 1);
    assertTrue(parallel.claim(T + 1, 100).isPresent());
  }

  @Test
  void aPlaceThatBecomesFreeWhileTheFlowIsPausedGoesToNobodyUntilThePauseIsOver() {
    beginTwoOfThree();
    parallel.update(paused(Optional.of(NOON.plusMillis(20))));

    parallel.ended(0, Optional.of(true), OptionalLong.empty(), T + 10);
    assertEquals(Optional.empty(), parallel.claim(T + 10, 9));
    answer(parallel, 0, T + 20, T + 20);
    parallel.ended(0, Optional.of(true), OptionalLong.empty(), T + 20);
    assertEquals(Optional.of(new ListClaim(1, 1, 0)), parallel.claim(T + 20, 9));
  }
}
