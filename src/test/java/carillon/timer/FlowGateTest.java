package carillon.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.flow.Flow;
import carillon.flow.Flow.FlowPause;
import carillon.flow.FlowDefinition;
import carillon.flow.FlowDefinition.Breaker;
import carillon.flow.FlowDefinition.Rate;
import carillon.flow.FlowGrant;
import carillon.flow.FlowGrant.BreakerState;
import carillon.flow.FlowName;
import carillon.flow.FlowRequest;
import carillon.job.Destination;
import carillon.timer.FlowGate.Admission;
import carillon.timer.FlowWaitingLists.ListClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What begins, what is kept, what is asked for, and when. */
class FlowGateTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  static final long T = NOON.toEpochMilli();
  static final Duration LEASE = Duration.ofSeconds(9);
  private static final Optional<Rate> RATE = Optional.of(new Rate(10, Duration.ofSeconds(1), 5));

  static Flow flow(Optional<Rate> rate, OptionalInt parallelism, Optional<Breaker> breaker) {
    return flow(rate, parallelism, breaker, 7);
  }

  static Flow flow(
      Optional<Rate> rate, OptionalInt parallelism, Optional<Breaker> breaker, long revision) {
    return new Flow(
        new FlowName("s", "g", "crm"),
        new FlowDefinition(List.of(), rate, parallelism, breaker, true),
        Optional.empty(),
        revision,
        NOON,
        NOON);
  }

  /** Attempts that find a place everywhere. */
  static <W> FlowLine.AttemptFacts<W> ofScore(ToLongFunction<W> score) {
    return new Runs<>(score, new HashMap<>());
  }

  /**
   * Attempts, of which the first word is the destination.
   *
   * @param places of the destinations that have few
   */
  private record Runs<W>(ToLongFunction<W> scores, Map<String, Integer> places)
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

  private final Map<String, Integer> places = new HashMap<>();

  private final FlowGate<String> limited =
      new FlowGate<>(flow(RATE, OptionalInt.empty(), Optional.empty()), LEASE, ofScore(run -> T));
  private final FlowGate<String> parallel =
      new FlowGate<>(
          flow(Optional.empty(), OptionalInt.of(2), Optional.empty()), LEASE, ofScore(run -> T));

  private static FlowGate<String> gate(Flow flow) {
    return new FlowGate<>(flow, LEASE, ofScore(run -> T));
  }

  private static FlowGrant grant(int tokens, long at, long again, int share) {
    return new FlowGrant(tokens, at, again, share, 0, BreakerState.CLOSED, Optional.empty());
  }

  /**
   * What becomes of the attempts that were kept when a request is answered.
   *
   * @param start their calls begin
   * @param park they wait in Redis
   */
  record Answered<W>(List<W> start, List<W> park) {}

  static <W> Answered<W> answered(FlowGate<W> gate, FlowGrant grant, long now) {
    gate.answered(grant, now);
    List<W> begun = new ArrayList<>();
    gate.beginKept(now, begun::add);
    return new Answered<>(begun, gate.leave(now));
  }

  private static Answered<String> answer(FlowGate<String> gate, int tokens, long now, long again) {
    assertTrue(gate.request(now).isPresent(), "asks");
    return answered(gate, grant(tokens, now, again, 2), now);
  }

  @Test
  void aRunIsKeptUntilItsRequestIsAnswered() {
    assertEquals(Admission.KEEP, limited.admit("a", T));
    assertEquals(T, Math.max(T, limited.wakeAt()));

    FlowRequest request = limited.request(T).orElseThrow();
    assertEquals(Admission.KEEP, limited.admit("b", T + 1));
    assertEquals(Optional.empty(), limited.request(T + 1));
    Answered<String> answered = answered(limited, grant(1, T, T, 1), T + 2);

    assertEquals(
        new FlowRequest(0, 1, OptionalLong.of(T), 0, 0, Optional.empty(), 0, OptionalLong.empty()),
        request);
    assertEquals(List.of("a"), answered.start());
    assertEquals(List.of(), answered.park());
    assertEquals(1, limited.request(T + 2).orElseThrow().want());
    assertEquals(List.of("b"), answered(limited, grant(1, T, T, 1), T + 3).start());
  }

  @Test
  void whatFindsNoPlaceIsKeptAndBeginsOnAPlaceThatBecomesFree() {
    FlowGate<String> gate = busy(8);
    places.put("slow", 0);
    assertTrue(gate.spend(T + 8));
    gate.giveBack();
    assertEquals(Admission.KEEP, gate.keepOrNot("slow a", T + 8));
    assertEquals(Admission.KEEP, gate.admit("slow b", T + 8));

    places.put("slow", 1);
    gate.ended(0, Optional.of(true), OptionalLong.empty(), T + 10);
    gate.beginKept(T + 10, run -> run.equals("slow a") && begun.add(run));

    assertEquals(List.of("slow a"), begun);
    assertEquals(1, gate.kept());
  }

  @Test
  void noTokenIsAskedForWhatFindsNoPlace() {
    FlowGate<String> gate = busy(20);
    places.put("slow", 1);
    for (String run : List.of("slow a", "slow b", "slow c", "fast a")) {
      assertEquals(Admission.KEEP, gate.keepOrNot(run, T + 20));
    }

    assertEquals(2, gate.request(T + 170).orElseThrow().want());
  }

  @Test
  void whatWaitsForItsDestinationDoesNotDoSoInAListOfTheFlow() {
    FlowGate<String> gate = busy(1);
    places.put("slow", 0);
    gate.parked(1, T - 5);

    assertEquals(Admission.PUT_OFF, gate.admit("slow a", T + 9));
    assertEquals(Admission.PARK, gate.admit("fast a", T + 9));
    assertEquals(Admission.PUT_OFF, gate.leaving("slow b", T + 9));
  }

  @Test
  void whatWaitsForAQuickDestinationWaitsInLine() {
    FlowGate<String> gate = busy(1);
    places.put("quick", 0);
    gate.parked(1, T - 5);

    assertEquals(Admission.PARK, gate.admit("quick a", T + 9));
  }

  @Test
  void whatWaitsForAFlowAtItsLimitDoesSoInItsListWhateverItsDestinationHas() {
    places.put("slow", 0);
    FlowGate<String> gate = busy(1);
    gate.parked(1, T - 5);
    answer(gate, 0, T + 60, T + 500);

    assertEquals(Admission.PARK, gate.admit("slow a", T + 61));
    assertEquals(Admission.PUT_OFF, gate.keepForPlace("slow a", T + 61));
  }

  private final List<String> begun = new ArrayList<>();

  /** A gate with a call in flight, and more tokens, of which a call has ended each ms until now. */
  private FlowGate<String> busy(int ended) {
    FlowGate<String> gate =
        new FlowGate<>(
            flow(RATE, OptionalInt.empty(), Optional.empty()), LEASE, new Runs<>(run -> T, places));
    gate.admit("first", T);
    answer(gate, ended + 8, T, T);
    for (int i = 1; i <= ended; i++) {
      assertTrue(gate.spend(T));
      gate.ended(0, Optional.of(true), OptionalLong.empty(), T + i);
    }
    return gate;
  }

  @Test
  void noMoreAreKeptWithoutAPlaceThanGetDoneInAMoment() {
    FlowGate<String> gate = busy(3);
    places.put("slow", 0);

    List<Admission> admissions =
        IntStream.range(0, 4).mapToObj(i -> gate.keepOrNot("slow " + i, T + 9)).toList();

    assertEquals(
        List.of(Admission.KEEP, Admission.KEEP, Admission.KEEP, Admission.PUT_OFF), admissions);
  }

  @Test
  void nothingIsKeptForTooLong() {
    FlowGate<String> gate = busy(3);
    gate.keepOrNot("a", T + 9);
    gate.keepOrNot("b", T + 10);

    assertTrue(gate.wakeAt() <= T + 9 + FlowLine.MAX_KEPT);
    assertEquals(List.of(), gate.leave(T + 8 + FlowLine.MAX_KEPT));
    assertEquals(List.of("a"), gate.leave(T + 9 + FlowLine.MAX_KEPT));
    assertEquals(List.of("b"), gate.leave(T + 10 + FlowLine.MAX_KEPT));
  }

  @Test
  void whatIsKeptBeginsAfterThatInAListWhichHasWaitedForLonger() {
    FlowGate<String> gate = busy(3);
    gate.parked(1, T - 5);
    assertEquals(Admission.KEEP, gate.admit("new", T + 9));

    gate.beginKept(T + 9, begun::add);
    assertEquals(List.of(), begun);
    gate.claimed(gate.claim(T + 9, 1).orElseThrow(), 1, OptionalLong.empty(), T + 10);
    gate.beginKept(T + 10, begun::add);

    assertEquals(List.of("new"), begun);
  }

  @Test
  void whatIsKeptBeginsBeforeThatInAListWhichCameLater() {
    FlowGate<String> gate = busy(3);
    assertEquals(Admission.KEEP, gate.keepOrNot("a", T + 9));
    gate.parked(1, T + 1);

    gate.beginKept(T + 9, begun::add);

    assertEquals(List.of("a"), begun);
  }

  @Test
  void aDestinationWithoutAPlaceStandsInNobodysWay() {
    FlowGate<String> gate = busy(3);
    List.of("full 1", "full 2", "other")
        .forEach(run -> assertEquals(Admission.KEEP, gate.keepOrNot(run, T + 9)));

    gate.beginKept(T + 9, run -> run.startsWith("other") && begun.add(run));

    assertEquals(List.of("other"), begun);
    assertEquals(2, gate.kept());
  }

  @Test
  void whatIsKeptCanBeTakenBack() {
    FlowGate<String> gate = busy(3);
    List.of("a", "b").forEach(run -> assertEquals(Admission.KEEP, gate.keepOrNot(run, T + 9)));

    assertEquals(List.of("a"), gate.withdraw("a"::equals));

    gate.beginKept(T + 9, begun::add);
    assertEquals(List.of("b"), begun);
  }

  @Test
  void aSteadyStreamAsksForAsManyAsCameBefore() {
    limited.admit("a", T);
    answer(limited, 1, T, T);
    limited.admit("b", T + 20);
    answer(limited, 1, T + 20, T + 20);

    limited.admit("c", T + FlowTokens.TTL);

    assertEquals(1 + 2, limited.request(T + FlowTokens.TTL).orElseThrow().want());
  }

  @Test
  void placesAreNotAskedForAhead() {
    parallel.admit("a", T);
    answer(parallel, 1, T, T);

    parallel.admit("b", T + FlowTokens.TTL);

    assertEquals(1, parallel.request(T + FlowTokens.TTL).orElseThrow().want());
  }

  @Test
  void ofThoseKeptTheFirstInLineBegins() {
    FlowGate<String> inLine =
        new FlowGate<>(
            flow(RATE, OptionalInt.empty(), Optional.empty()),
            LEASE,
            ofScore(run -> run.startsWith("urgent") ? T - 60_000 : T));
    List.of("a", "b", "urgent 1", "urgent 2").forEach(run -> inLine.admit(run, T));

    Answered<String> answered = answer(inLine, 3, T, T + 100);

    assertEquals(List.of("urgent 1", "urgent 2", "a"), answered.start());
    assertEquals(List.of("b"), answered.park());
  }

  @Test
  void nothingIsKeptWhileTheFlowIsKnownToBeFull() {
    limited.admit("a", T);
    answer(limited, 0, T, T + 100);

    assertEquals(Admission.PARK, limited.admit("b", T + 99));
    assertEquals(Admission.KEEP, limited.admit("c", T + 100));
  }

  @Test
  void aClockThatIsSetBackPutsNothingOff() {
    long before = T + 3_600_000;
    limited.parked(3, T - 9);
    limited.parked(3, T - 8);
    answer(limited, 1, before, before + 1000);
    limited.full(before, () -> before + 1000);

    assertEquals(1, limited.request(T).orElseThrow().want());
    limited.answered(grant(2, T, T, 2), T);

    assertTrue(limited.claim(T, 100).isPresent());
    assertTrue(limited.wakeAt() <= T + 1000, "tokens are kept no longer than ever");
  }

  @Test
  void whatWaitsGoesBeforeWhatComes() {
    limited.parked(3, T - 9);
    assertEquals(List.of(), answer(limited, 2, T, T).start());

    assertEquals(Admission.PARK, limited.admit("new", T));
    assertEquals(Optional.of(new ListClaim(3, 1, 0)), limited.claim(T, 100));
  }

  @Test
  void theOldestListIsClaimedFirstAndEachByOneClaimAtATime() {
    limited.parked(1, T - 5);
    limited.parked(2, T - 9);
    answer(limited, 2, T, T);

    ListClaim first = limited.claim(T, 100).orElseThrow();
    ListClaim second = limited.claim(T, 100).orElseThrow();

    assertEquals(2, first.partition());
    assertEquals(1, second.partition());
    assertEquals(1, first.limit());
    assertEquals(1, second.limit());
    assertEquals(Optional.empty(), limited.claim(T, 100));
  }

  @Test
  void asManyAreClaimedAsPlacesBecomeFreeWhenThereIsNoneForTheNext() {
    FlowGate<String> gate =
        new FlowGate<>(flow(RATE, OptionalInt.empty(), Optional.empty()), LEASE, ofScore(run -> T));
    gate.setWaiting(1, OptionalLong.of(T - 5), 100);
    answer(gate, 12, T, T);
    gate.claimed(gate.claim(T, 9).orElseThrow(), 9, OptionalLong.of(T - 4), T);
    for (int call = 0; call < 9; call++) {
      assertTrue(gate.spend(T));
    }
    gate.giveBack();
    gate.full(T, () -> T + 400);
    assertEquals(Optional.empty(), gate.claim(T, 9));

    gate.ended(0, Optional.of(true), OptionalLong.empty(), T + 1);
    assertEquals(Optional.empty(), gate.claim(T + 1, 9), "fewer than a quarter of those in flight");
    gate.ended(0, Optional.of(true), OptionalLong.empty(), T + 2);
    assertEquals(Optional.of(new ListClaim(1, 2, 0)), gate.claim(T + 2, 9));
    assertEquals(Optional.empty(), gate.claim(T + 2, 9));
  }

  @Test
  void aGateThatIsFullAsksForNoMoreThanThereIsRoomForUntilItsTime() {
    limited.setWaiting(1, OptionalLong.of(T - 5), 100);
    answer(limited, 1, T, T);
    limited.full(T, () -> T + 400);
    limited.full(T + 1, () -> T + 900);

    assertEquals(1, limited.request(limited.wakeAt()).orElseThrow().unused());
    limited.answered(grant(0, T + 51, T + 51, 9), T + 51);
    assertEquals(T + 400, limited.wakeAt());
    assertEquals(100, limited.request(T + 400).orElseThrow().want());
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

  /** Two calls are in flight, as many as may be, and a third waits. */
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

  /** Several wait in a list, of which as many are claimed as there are tokens. */
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
  void withoutAnAnswerWhatIsKeptWaitsInRedis() {
    limited.admit("a", T);
    limited.request(T);

    limited.failed(T + 100);

    assertEquals(List.of("a"), limited.leave(T + 100));
    assertEquals(Admission.PARK, limited.admit("b", T + 1099));
    assertEquals(Admission.KEEP, limited.admit("c", T + 1100));
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

    assertEquals(Admission.PARK, parallel.admit("new", T + 1));
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

  /** The answer to a request that was made before the change tells of a share of what was. */
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
