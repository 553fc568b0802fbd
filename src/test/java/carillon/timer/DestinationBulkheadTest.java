package carillon.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.action.Destination;
import carillon.timer.Admission.AdmissionStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of places: calls that get one, calls that wait for one, and the instants for deferred
 * calls.
 */
class DestinationBulkheadTest {
  private static final long LATER = 1000;
  static final long PATIENCE = 1000;
  private final DestinationBulkhead<Integer> bulkhead =
      new DestinationBulkhead<>(100, 60, PATIENCE);

  static Destination host(int number) {
    return new Destination("h" + number + ".example", 80);
  }

  /** Makes a call that is answered immediately. */
  private static void prove(DestinationBulkhead<Integer> bulkhead, Destination destination) {
    assertEquals(AdmissionStep.START, bulkhead.admit(destination, 0, 0));
    bulkhead.finished(destination, 0, 0);
  }

  /** Returns how many of 200 concurrent calls start at a quick destination. No answers come. */
  private int startedQuick(Destination destination, long now) {
    prove(bulkhead, destination);
    return started(destination, now);
  }

  /** Returns how many of 200 concurrent calls start. No answers come. */
  private int started(Destination destination, long now) {
    return started(bulkhead, destination, now);
  }

  private static int started(
      DestinationBulkhead<Integer> bulkhead, Destination destination, long now) {
    int started = 0;
    for (int i = 0; i < 200; i++) {
      started += bulkhead.admit(destination, i, now) == AdmissionStep.START ? 1 : 0;
    }
    return started;
  }

  @Test
  void oneDestinationHasAtMostItsOwnLimit() {
    assertEquals(60, started(new DestinationBulkhead<>(1000, 60, PATIENCE), host(1), 0));
  }

  /**
   * Sixty of a hundred places are for one destination. At 240 ms a call, one becomes free every 4
   * ms.
   */
  @ParameterizedTest
  @CsvSource({"1, true", "240, true", "241, false", "3000, false"})
  void aDestinationIsQuickWhoseBusyPlacesBecomeFreeEveryFewMillis(long time, boolean isQuick) {
    assertFalse(bulkhead.isQuick(host(1), 0), "not called yet");
    for (int i = 0; i < 12; i++) {
      assertTrue(bulkhead.tryStart(host(1), 0));
    }
    assertFalse(bulkhead.isQuick(host(1), 0), "none has ended");

    for (int i = 0; i < 6; i++) {
      bulkhead.finished(host(1), 0, time);
    }

    assertEquals(isQuick, bulkhead.isQuick(host(1), time));
    assertFalse(bulkhead.isQuick(host(1), time + 2 * CompletionRate.WINDOW), "hangs since");
  }

  private static DestinationBulkhead<Integer> some(Random random) {
    return new DestinationBulkhead<>(5 + random.nextInt(60), 1 + random.nextInt(20), PATIENCE);
  }

  /** Ends one of the calls in flight, if there is one. A waiting call may follow. */
  private static void endAny(
      DestinationBulkhead<Integer> some, List<Destination> inFlight, Random random, long now) {
    if (!inFlight.isEmpty()) {
      Destination ended = inFlight.remove(random.nextInt(inFlight.size()));
      some.finished(ended, now - random.nextInt(2 * (int) PATIENCE), now)
          .ifPresent(next -> inFlight.add(ended));
    }
  }

  /** Exactly as many concurrent calls begin as places are reported for a destination. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void asManyBeginAtOnceAsPlacesAreTold(long seed) {
    Random random = new Random(seed);
    DestinationBulkhead<Integer> some = some(random);
    List<Destination> inFlight = new ArrayList<>();
    for (int now = 0; now < 2000; now++) {
      if (random.nextBoolean()) {
        endAny(some, inFlight, random, now);
      }
      Destination destination = host(random.nextInt(6));
      if (random.nextInt(4) == 0 && some.admit(destination, now, now) == AdmissionStep.START) {
        inFlight.add(destination);
      } else if (random.nextInt(20) == 0) {
        int told = some.places(destination);
        int begun = 0;
        while (some.tryStart(destination, now)) {
          inFlight.add(destination);
          begun++;
        }
        assertEquals(told, begun, "at " + now);
      }
    }
  }

  /** No room is reported if the next call would be deferred. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void whatFindsNoRoomIsPutOffToTheInstantsTold(long seed) {
    Random random = new Random(seed);
    DestinationBulkhead<Integer> some = some(random);
    List<Destination> inFlight = new ArrayList<>();
    int full = 0;
    for (int now = 0; now < 3000; now++) {
      if (random.nextInt(3) == 0) {
        endAny(some, inFlight, random, now);
      }
      some.overdue(now);
      Destination destination = host(random.nextInt(4));
      boolean isCalled = some.isCalled(destination);
      boolean isFull = isCalled && some.room(destination, now) == 0;
      AdmissionStep verdict = some.admit(destination, now, now);
      assertEquals(isFull, isCalled && verdict == AdmissionStep.DEFER, "at " + now);
      if (verdict == AdmissionStep.START) {
        inFlight.add(destination);
      }
      if (isFull) {
        full++;
        CompletionRate.Retries retries = some.retries(destination, now);
        some.deferred(destination, 2, now);
        double second =
            new CompletionRate.Retries(
                    retries.next(), retries.spacing(), retries.latest(), retries.restart())
                .next();
        assertEquals(second, some.retries(destination, now).at(), "at " + now);
      }
    }
    assertTrue(full > 100, "" + full);
  }

  @Test
  void severalThatNeverAnswerLeavePlacesFree() {
    List<Integer> started = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      started.add(started(host(i), 0));
    }

    assertEquals(List.of(13, 6, 3, 2), started);
    assertEquals(AdmissionStep.START, bulkhead.admit(host(9), 0, 0), "one that has no call yet");
  }

  @Test
  void inTheFirstMomentWhatIsDoneSoFarTellsHowManyMayWait() {
    startedQuick(host(1), 0);
    for (int call = 0; call < 10; call++) {
      bulkhead.finished(host(1), 0, 25);
    }

    started(host(1), 25);

    assertEquals(100, bulkhead.waiting(), "10 in 25 ms are 100 in a moment");
  }

  @Test
  void aNodeWithOnePlaceUsesIt() {
    DestinationBulkhead<Integer> one = new DestinationBulkhead<>(1, 1, PATIENCE);

    assertEquals(AdmissionStep.START, one.admit(host(1), 1, 0));
    assertEquals(Optional.empty(), one.finished(host(1), 0, 5));
    assertEquals(AdmissionStep.START, one.admit(host(1), 2, 5));
  }

  @Test
  void whatWaitsIsStartedInTurnAsPlacesBecomeFree() {
    startedQuick(host(1), 0);

    assertEquals(Optional.of(50), bulkhead.finished(host(1), 0, 20));
    assertEquals(Optional.of(51), bulkhead.finished(host(1), 0, 20));
  }

  @Test
  void aFewWaitForADestinationThatHasJustBeenCalledAndNoneForOneThatDoesNotAnswer() {
    startedQuick(host(1), 0);
    int waiting = bulkhead.waiting();

    List<Integer> overdue = bulkhead.overdue(LATER);

    assertTrue(waiting > 0 && waiting < 40, "" + waiting);
    assertEquals(waiting, overdue.size());
    assertEquals(0, bulkhead.waiting());
    assertEquals(AdmissionStep.DEFER, bulkhead.admit(host(1), 0, LATER));
  }

  @Test
  void aDestinationMayHaveWaitingWhatItGotDoneInAMoment() {
    startedQuick(host(1), 0);
    bulkhead.overdue(LATER - 1);
    for (int i = 0; i < 25; i++) {
      bulkhead.finished(host(1), LATER, LATER + i);
    }
    assertEquals(25, started(host(1), LATER + 25));

    assertEquals(25, bulkhead.waiting());
    assertEquals(0, bulkhead.overdue(LATER + 100).size());
    assertEquals(25, bulkhead.overdue(LATER + 700).size());
  }

  @Test
  void whatIsPutOffComesBackAtThePaceOfTheDestination() {
    startedQuick(host(1), 0);
    for (int i = 0; i < 25; i++) {
      bulkhead.finished(host(1), LATER, LATER);
    }

    List<Long> turns = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      turns.add(bulkhead.retryAt(host(1), LATER + 10) - LATER - 10);
    }

    assertEquals(10, turns.get(0), "25 in 250 ms is one each 10 ms");
    assertEquals(250, turns.get(24));
  }

  @Test
  void theLongerNothingComesTheLaterItIsTriedAgain() {
    startedQuick(host(1), 0);

    long soon = bulkhead.retryAt(host(1), 1000) - 1000;
    long later = bulkhead.retryAt(host(1), 60_000) - 60_000;

    assertEquals(20, soon, "nothing for 1 s with 50 in flight");
    assertEquals(1200, later, "nothing for 60 s");
  }

  @Test
  void nothingIsPutOffForEver() {
    started(host(1), 0);

    long latest = latestTurn(host(1), 1_000_000) - 1_000_000;
    assertTrue(
        latest > CompletionRate.MAX_DELAY / 2 && latest <= CompletionRate.MAX_DELAY, "" + latest);
  }

  @Test
  void nothingIsPutOffForLongerThanItsDestinationHasBeenTooSlow() {
    startedQuick(host(1), 0);

    assertEquals(2000, latestTurn(host(1), 2000) - 2000);
  }

  @Test
  void whoKeepsUpForAMomentBeginsAnew() {
    startedQuick(host(1), 0);
    while (bulkhead.waiting() > 0) {
      bulkhead.finished(host(1), 2000, 2000);
    }
    assertTrue(latestTurn(host(1), 2100) - 2100 > CompletionRate.WINDOW);

    bulkhead.overdue(2000 + CompletionRate.WINDOW);
    for (int i = 0; i < 10; i++) {
      bulkhead.finished(host(1), 2000, 2000 + CompletionRate.WINDOW);
    }
    bulkhead.overdue(2000 + 2 * CompletionRate.WINDOW);

    long now = 2000 + 2 * CompletionRate.WINDOW;
    assertEquals(CompletionRate.WINDOW, latestTurn(host(1), now) - now);
  }

  /** Returns the latest instant until which many calls are deferred. */
  private long latestTurn(Destination destination, long now) {
    return LongStream.generate(() -> bulkhead.retryAt(destination, now))
        .limit(10_000)
        .max()
        .orElse(0);
  }

  /** Returns the number of started first calls of a range of destinations. No answers come. */
  private int calledOnce(int first, int count, long now) {
    int called = 0;
    for (int i = first; i < first + count; i++) {
      called += bulkhead.admit(host(i), i, now) == AdmissionStep.START ? 1 : 0;
    }
    return called;
  }

  @Test
  void howeverManyNeverAnswerThereIsRoomForThoseThatDo() {
    prove(bulkhead, host(0));

    int called = 0;
    for (int round = 0; round < 10; round++) {
      called += calledOnce(1 + 1000 * round, 1000, PATIENCE * round);
      bulkhead.overdue(PATIENCE * (round + 1));
    }

    assertEquals(75, called);
    assertEquals(0, bulkhead.waiting());
    assertEquals(13, started(host(0), 10 * PATIENCE));
  }

  @Test
  void thoseKnownToBeSlowLeaveRoomForNewOnes() {
    for (int i = 1; i <= 100; i++) {
      bulkhead.admit(host(i), i, 0);
      bulkhead.finished(host(i), 0, PATIENCE);
    }

    assertEquals(50, calledOnce(1, 100, PATIENCE));
    assertEquals(25, calledOnce(200, 100, PATIENCE));
  }

  @Test
  void thosePutOffBecauseOfOthersComeBackAfterAWhile() {
    assertEquals(25, calledOnce(1, 25, 0));
    assertEquals(AdmissionStep.DEFER, bulkhead.admit(host(76), 76, 60_000));

    assertFalse(bulkhead.isCalled(host(76)));
    assertEquals(1000, bulkhead.retryAt(host(76), 60_000) - 60_000, "new");
    bulkhead.finished(host(1), 0, 60_000);
    assertEquals(AdmissionStep.START, bulkhead.admit(host(76), 76, 60_000));
  }

  @Test
  void whoFallsSilentIsSlowUntilItsNextQuickCall() {
    for (int i = 0; i < 100; i++) {
      prove(bulkhead, host(i));
    }
    assertEquals(80, calledOnce(0, 80, 0), "all are quick");

    bulkhead.overdue(PATIENCE);
    assertEquals(AdmissionStep.DEFER, bulkhead.admit(host(200), 0, PATIENCE), "80 of 75 places");
    for (int i = 0; i < 40; i++) {
      bulkhead.finished(host(i), 0, 10 * PATIENCE);
    }
    assertEquals(AdmissionStep.START, bulkhead.admit(host(0), 0, 10 * PATIENCE));
    bulkhead.finished(host(0), 10 * PATIENCE, 10 * PATIENCE + 1);

    assertEquals(30, started(host(0), 10 * PATIENCE + 1), "quick again: half of the free places");
    assertEquals(5, started(host(50), 10 * PATIENCE + 1), "still slow");
  }

  /** Also applies if the destination has no call in flight in between. */
  @Test
  void slownessIsNewsOnceInAMinute() {
    started(host(1), 0);
    assertTrue(bulkhead.isNews(host(1), 0));
    while (bulkhead.isCalled(host(1))) {
      bulkhead.finished(host(1), 0, 10);
    }

    started(host(1), 1000);
    assertFalse(bulkhead.isNews(host(1), 1000));
    assertFalse(bulkhead.isNews(host(1), 59_999));
    assertTrue(bulkhead.isNews(host(1), 60_000));
  }

  @Test
  void thatTooManyAreSlowIsNewsOnce() {
    assertEquals(25, calledOnce(1, 25, 0));

    assertTrue(bulkhead.isNews(host(76), 0));
    assertFalse(bulkhead.isNews(host(77), 60_000));
  }
}
