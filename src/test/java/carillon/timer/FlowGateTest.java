package carillon.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.flow.FlowRequest;
import carillon.timer.Admission.AdmissionStep;
import carillon.timer.FlowWaitingLists.ListClaim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of a gate: attempts that begin or are kept, claimed lists, and requests for tokens. */
class FlowGateTest extends FlowGateFixture {
  private final Map<String, Integer> places = new HashMap<>();
  private final List<String> begun = new ArrayList<>();

  /**
   * Creates a gate with a call in flight and more tokens. A call has ended in each ms until now.
   */
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
  void aRunIsKeptUntilItsRequestIsAnswered() {
    assertEquals(AdmissionStep.KEEP, limited.admit("a", T));
    assertEquals(T, Math.max(T, limited.wakeAt()));

    FlowRequest request = limited.request(T).orElseThrow();
    assertEquals(AdmissionStep.KEEP, limited.admit("b", T + 1));
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
    assertEquals(AdmissionStep.KEEP, gate.keepOrNot("slow a", T + 8));
    assertEquals(AdmissionStep.KEEP, gate.admit("slow b", T + 8));

    places.put("slow", 1);
    gate.ended(0, Optional.of(true), OptionalLong.empty(), T + 10);
    beginKept(gate, T + 10, run -> run.equals("slow a") && begun.add(run));

    assertEquals(List.of("slow a"), begun);
    assertEquals(1, gate.kept());
  }

  @Test
  void noTokenIsAskedForWhatFindsNoPlace() {
    FlowGate<String> gate = busy(20);
    places.put("slow", 1);
    for (String run : List.of("slow a", "slow b", "slow c", "fast a")) {
      assertEquals(AdmissionStep.KEEP, gate.keepOrNot(run, T + 20));
    }

    assertEquals(2, gate.request(T + 170).orElseThrow().want());
  }

  @Test
  void whatWaitsForItsDestinationDoesNotDoSoInAListOfTheFlow() {
    FlowGate<String> gate = busy(1);
    places.put("slow", 0);
    gate.parked(1, T - 5);

    assertEquals(AdmissionStep.DEFER, gate.admit("slow a", T + 9));
    assertEquals(AdmissionStep.PARK, gate.admit("fast a", T + 9));
    assertEquals(AdmissionStep.DEFER, gate.leaving("slow b", T + 9));
  }

  @Test
  void whatWaitsForAQuickDestinationWaitsInLine() {
    FlowGate<String> gate = busy(1);
    places.put("quick", 0);
    gate.parked(1, T - 5);

    assertEquals(AdmissionStep.PARK, gate.admit("quick a", T + 9));
  }

  @Test
  void whatWaitsForAFlowAtItsLimitDoesSoInItsListWhateverItsDestinationHas() {
    places.put("slow", 0);
    FlowGate<String> gate = busy(1);
    gate.parked(1, T - 5);
    answer(gate, 0, T + 60, T + 500);

    assertEquals(AdmissionStep.PARK, gate.admit("slow a", T + 61));
    assertEquals(AdmissionStep.DEFER, gate.keepForPlace("slow a", T + 61));
  }

  @Test
  void noMoreAreKeptWithoutAPlaceThanGetDoneInAMoment() {
    FlowGate<String> gate = busy(3);
    places.put("slow", 0);

    List<AdmissionStep> admissions =
        IntStream.range(0, 4).mapToObj(i -> gate.keepOrNot("slow " + i, T + 9)).toList();

    assertEquals(
        List.of(AdmissionStep.KEEP, AdmissionStep.KEEP, AdmissionStep.KEEP, AdmissionStep.DEFER),
        admissions);
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
    assertEquals(AdmissionStep.KEEP, gate.admit("new", T + 9));

    beginKept(gate, T + 9, begun::add);
    assertEquals(List.of(), begun);
    gate.claimed(gate.claim(T + 9, 1).orElseThrow(), 1, OptionalLong.empty(), T + 10);
    beginKept(gate, T + 10, begun::add);

    assertEquals(List.of("new"), begun);
  }

  @Test
  void whatIsKeptBeginsBeforeThatInAListWhichCameLater() {
    FlowGate<String> gate = busy(3);
    assertEquals(AdmissionStep.KEEP, gate.keepOrNot("a", T + 9));
    gate.parked(1, T + 1);

    beginKept(gate, T + 9, begun::add);

    assertEquals(List.of("a"), begun);
  }

  @Test
  void aDestinationWithoutAPlaceStandsInNobodysWay() {
    FlowGate<String> gate = busy(3);
    List.of("full 1", "full 2", "other")
        .forEach(run -> assertEquals(AdmissionStep.KEEP, gate.keepOrNot(run, T + 9)));

    beginKept(gate, T + 9, run -> run.startsWith("other") && begun.add(run));

    assertEquals(List.of("other"), begun);
    assertEquals(2, gate.kept());
  }

  @Test
  void whatIsKeptCanBeTakenBack() {
    FlowGate<String> gate = busy(3);
    List.of("a", "b").forEach(run -> assertEquals(AdmissionStep.KEEP, gate.keepOrNot(run, T + 9)));

    assertEquals(List.of("a"), gate.withdraw("a"::equals));

    beginKept(gate, T + 9, begun::add);
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

    assertEquals(AdmissionStep.PARK, limited.admit("b", T + 99));
    assertEquals(AdmissionStep.KEEP, limited.admit("c", T + 100));
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

    assertEquals(AdmissionStep.PARK, limited.admit("new", T));
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
  void withoutAnAnswerWhatIsKeptWaitsInRedis() {
    limited.admit("a", T);
    limited.request(T);

    limited.failed(T + 100);

    assertEquals(List.of("a"), limited.leave(T + 100));
    assertEquals(AdmissionStep.PARK, limited.admit("b", T + 1099));
    assertEquals(AdmissionStep.KEEP, limited.admit("c", T + 1100));
  }
}
