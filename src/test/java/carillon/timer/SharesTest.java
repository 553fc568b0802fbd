package carillon.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.Destination;
import carillon.timer.Shares.Verdict;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Who gets a place, who waits for one, and until when the rest is put off. */
class SharesTest {
  private static final long LATER = 1000;
  private static final long PATIENCE = 1000;
  private final Shares<Integer> shares = new Shares<>(100, 60, PATIENCE);

  private static Destination host(int number) {
    return new Destination("h" + number + ".example", 80);
  }

  /** One call that is answered at once. */
  private static void prove(Shares<Integer> shares, Destination destination) {
    assertEquals(Verdict.START, shares.offer(destination, 0, 0));
    shares.finished(destination, 0, 0);
  }

  /** How many of many calls offered at once to a quick destination are started; no answers come. */
  private int startedQuick(Destination destination, long now) {
    prove(shares, destination);
    return started(destination, now);
  }

  /** How many of many calls offered at once are started; no answers come. */
  private int started(Destination destination, long now) {
    return started(shares, destination, now);
  }

  private static int started(Shares<Integer> shares, Destination destination, long now) {
    int started = 0;
    for (int i = 0; i < 200; i++) {
      started += shares.offer(destination, i, now) == Verdict.START ? 1 : 0;
    }
    return started;
  }

  @Test
  void oneDestinationHasAtMostItsOwnLimit() {
    assertEquals(60, started(new Shares<>(1000, 60, PATIENCE), host(1), 0));
  }

  @Test
  void severalThatNeverAnswerLeavePlacesFree() {
    List<Integer> started = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      started.add(started(host(i), 0));
    }

    assertEquals(List.of(13, 6, 3, 2), started);
    assertEquals(Verdict.START, shares.offer(host(9), 0, 0), "one that has no call yet");
  }

  @Test
  void aNodeWithOnePlaceUsesIt() {
    Shares<Integer> one = new Shares<>(1, 1, PATIENCE);

    assertEquals(Verdict.START, one.offer(host(1), 1, 0));
    assertEquals(Optional.empty(), one.finished(host(1), 0, 5));
    assertEquals(Verdict.START, one.offer(host(1), 2, 5));
  }

  @Test
  void whatWaitsIsStartedInTurnAsPlacesBecomeFree() {
    startedQuick(host(1), 0);

    assertEquals(Optional.of(50), shares.finished(host(1), 0, 20));
    assertEquals(Optional.of(51), shares.finished(host(1), 0, 20));
  }

  @Test
  void aFewWaitForADestinationThatHasJustBeenCalledAndNoneForOneThatDoesNotAnswer() {
    startedQuick(host(1), 0);
    int waiting = shares.waiting();

    List<Integer> overdue = shares.overdue(LATER);

    assertTrue(waiting > 0 && waiting < 40, "" + waiting);
    assertEquals(waiting, overdue.size());
    assertEquals(0, shares.waiting());
    assertEquals(Verdict.PUT_OFF, shares.offer(host(1), 0, LATER));
  }

  @Test
  void aDestinationMayHaveWaitingWhatItGotDoneInAMoment() {
    startedQuick(host(1), 0);
    shares.overdue(LATER - 1);
    for (int i = 0; i < 25; i++) {
      shares.finished(host(1), LATER, LATER + i);
    }
    assertEquals(25, started(host(1), LATER + 25));

    assertEquals(25, shares.waiting());
    assertEquals(0, shares.overdue(LATER + 100).size());
    assertEquals(25, shares.overdue(LATER + 700).size());
  }

  @Test
  void whatIsPutOffComesBackAtThePaceOfTheDestination() {
    startedQuick(host(1), 0);
    for (int i = 0; i < 25; i++) {
      shares.finished(host(1), LATER, LATER);
    }

    List<Long> turns = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      turns.add(shares.turn(host(1), LATER + 10) - LATER - 10);
    }

    assertEquals(10, turns.get(0), "25 in 250 ms is one each 10 ms");
    assertEquals(250, turns.get(24));
  }

  @Test
  void theLongerNothingComesTheLaterItIsTriedAgain() {
    startedQuick(host(1), 0);

    long soon = shares.turn(host(1), 1000) - 1000;
    long later = shares.turn(host(1), 60_000) - 60_000;

    assertEquals(20, soon, "nothing for 1 s with 50 in flight");
    assertEquals(1200, later, "nothing for 60 s");
  }

  @Test
  void nothingIsPutOffForEver() {
    started(host(1), 0);

    long latest = latestTurn(host(1), 1_000_000) - 1_000_000;
    assertTrue(latest > Pace.LATEST / 2 && latest <= Pace.LATEST, "" + latest);
  }

  @Test
  void nothingIsPutOffForLongerThanItsDestinationHasBeenTooSlow() {
    startedQuick(host(1), 0);

    assertEquals(2000, latestTurn(host(1), 2000) - 2000);
  }

  @Test
  void whoKeepsUpForAMomentBeginsAnew() {
    startedQuick(host(1), 0);
    while (shares.waiting() > 0) {
      shares.finished(host(1), 2000, 2000);
    }
    assertTrue(latestTurn(host(1), 2100) - 2100 > Pace.MOMENT);

    shares.overdue(2000 + Pace.MOMENT);
    for (int i = 0; i < 10; i++) {
      shares.finished(host(1), 2000, 2000 + Pace.MOMENT);
    }
    shares.overdue(2000 + 2 * Pace.MOMENT);

    long now = 2000 + 2 * Pace.MOMENT;
    assertEquals(Pace.MOMENT, latestTurn(host(1), now) - now);
  }

  /** The latest of the instants until which many calls are put off. */
  private long latestTurn(Destination destination, long now) {
    return LongStream.generate(() -> shares.turn(destination, now)).limit(10_000).max().orElse(0);
  }

  /** First calls that are started of so many destinations from a number on; no answers come. */
  private int calledOnce(int first, int count, long now) {
    int called = 0;
    for (int i = first; i < first + count; i++) {
      called += shares.offer(host(i), i, now) == Verdict.START ? 1 : 0;
    }
    return called;
  }

  @Test
  void howeverManyNeverAnswerThereIsRoomForThoseThatDo() {
    prove(shares, host(0));

    int called = 0;
    for (int round = 0; round < 10; round++) {
      called += calledOnce(1 + 1000 * round, 1000, PATIENCE * round);
      shares.overdue(PATIENCE * (round + 1));
    }

    assertEquals(75, called);
    assertEquals(0, shares.waiting());
    assertEquals(13, started(host(0), 10 * PATIENCE));
  }

  @Test
  void thoseKnownToBeSlowLeaveRoomForNewOnes() {
    for (int i = 1; i <= 100; i++) {
      shares.offer(host(i), i, 0);
      shares.finished(host(i), 0, PATIENCE);
    }

    assertEquals(50, calledOnce(1, 100, PATIENCE));
    assertEquals(25, calledOnce(200, 100, PATIENCE));
  }

  @Test
  void thosePutOffBecauseOfOthersComeBackAfterAWhile() {
    assertEquals(25, calledOnce(1, 25, 0));
    assertEquals(Verdict.PUT_OFF, shares.offer(host(76), 76, 60_000));

    assertFalse(shares.isCalled(host(76)));
    assertEquals(1000, shares.turn(host(76), 60_000) - 60_000, "new");
    shares.finished(host(1), 0, 60_000);
    assertEquals(Verdict.START, shares.offer(host(76), 76, 60_000));
  }

  @Test
  void whoFallsSilentIsSlowUntilItsNextQuickCall() {
    for (int i = 0; i < 100; i++) {
      prove(shares, host(i));
    }
    assertEquals(80, calledOnce(0, 80, 0), "all are quick");

    shares.overdue(PATIENCE);
    assertEquals(Verdict.PUT_OFF, shares.offer(host(200), 0, PATIENCE), "80 of 75 places");
    for (int i = 0; i < 40; i++) {
      shares.finished(host(i), 0, 10 * PATIENCE);
    }
    assertEquals(Verdict.START, shares.offer(host(0), 0, 10 * PATIENCE));
    shares.finished(host(0), 10 * PATIENCE, 10 * PATIENCE + 1);

    assertEquals(30, started(host(0), 10 * PATIENCE + 1), "quick again: half of the free places");
    assertEquals(5, started(host(50), 10 * PATIENCE + 1), "still slow");
  }

  @Test
  void slownessIsNewsOnce() {
    started(host(1), 0);

    assertTrue(shares.isNews(host(1)));
    assertFalse(shares.isNews(host(1)));
  }

  /**
   * Many destinations with random speeds, random arrivals and a model that keeps the books: no
   * place is lost or given twice, the limits hold after every step, and all is called in the end.
   */
  @Test
  void theBooksAreRightWhateverHappens() {
    for (long seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      Simulation simulation =
          new Simulation(
              "seed " + seed,
              20,
              8,
              (destination, now) -> destination == 0 ? 3000 : 1 + random.nextInt(20 * destination));
      for (int i = 0; i < 400; i++) {
        simulation.due(random.nextInt(2000), random.nextInt(6));
      }
      simulation.run();
    }
  }

  /**
   * A destination, or this node, that stands still for a second while 10,000 calls are due, and is
   * fast afterwards: what was put off meanwhile comes soon, and is not put off again and again.
   */
  @Test
  void aStallDelaysCallsByLittleMoreThanItTook() {
    Simulation simulation =
        new Simulation("stall", 1024, 256, (destination, now) -> now < 1000 ? 1000 - now : 20);
    for (int i = 0; i < 10_000; i++) {
      simulation.due(0, 1);
    }

    simulation.run();

    assertTrue(simulation.lastCall < 2300, "last call after " + simulation.lastCall + " ms");
    assertTrue(simulation.putOffs < 50_000, simulation.putOffs + " times put off");
  }

  /** Nobody is asked for what nobody answers: the longer it lasts, the less often. */
  @Test
  void whatWaitsForAnHourIsTriedMoreAndMoreSeldom() {
    Simulation simulation = new Simulation("silent", 1024, 256, (destination, now) -> 60_000);
    for (int i = 0; i < 10_000; i++) {
      simulation.due(0, 1);
    }

    simulation.run();

    assertTrue(simulation.putOffs < 200_000, simulation.putOffs + " times put off");
  }

  /** An event in the future of a simulation. */
  private record Event(long at, int destination, boolean arrival, long since) {
    static Event arrival(long at, int destination) {
      return new Event(at, destination, true, at);
    }
  }

  /** How long a call takes, ms. */
  private interface Duration {
    long of(int destination, long now);
  }

  private static final class Simulation {
    private final String name;
    private final int places;
    private final int most;
    private final Duration duration;
    private final Shares<Integer> shares;
    private final PriorityQueue<Event> events =
        new PriorityQueue<>((a, b) -> Long.compare(a.at, b.at));
    private final Map<Integer, Integer> inFlight = new HashMap<>();
    private final Deque<Event> outside = new ArrayDeque<>();
    private int calls;
    private int called;
    private int held;
    private long lastCall;
    private int putOffs;

    Simulation(String name, int places, int most, Duration duration) {
      this.name = name;
      this.places = places;
      this.most = most;
      this.duration = duration;
      this.shares = new Shares<>(places, most, PATIENCE);
    }

    void due(long at, int destination) {
      events.add(Event.arrival(at, destination));
      calls++;
    }

    void run() {
      long tidied = 0;
      for (Event event = events.poll(); event != null; event = events.poll()) {
        long now = event.at;
        if (event.arrival) {
          outside.add(event);
        } else {
          end(event, now);
        }
        if (now - tidied >= Pace.MOMENT) {
          tidied = now;
          shares.overdue(now).forEach(destination -> putOff(destination, now));
        }
        while (!outside.isEmpty() && held < places) {
          arrive(outside.remove(), now);
        }
        check();
      }
      assertEquals(calls, called, name);
      assertEquals(0, held, name);
      assertEquals(0, shares.waiting(), name);
    }

    private void arrive(Event event, long now) {
      held++;
      switch (shares.offer(host(event.destination), event.destination, now)) {
        case START -> start(event.destination, now);
        case WAIT -> {}
        case PUT_OFF -> putOff(event.destination, now);
      }
    }

    private void putOff(int destination, long now) {
      held--;
      putOffs++;
      events.add(Event.arrival(shares.turn(host(destination), now), destination));
    }

    private void start(int destination, long now) {
      called++;
      lastCall = now;
      inFlight.merge(destination, 1, Integer::sum);
      events.add(new Event(now + duration.of(destination, now), destination, false, now));
    }

    private void end(Event event, long now) {
      held--;
      inFlight.merge(event.destination, -1, Integer::sum);
      shares
          .finished(host(event.destination), event.since, now)
          .ifPresent(next -> start(next, now));
    }

    private void check() {
      int all = inFlight.values().stream().mapToInt(Integer::intValue).sum();
      assertEquals(held, all + shares.waiting(), name);
      assertTrue(held <= places, name);
      assertTrue(inFlight.values().stream().allMatch(count -> count <= most), name);
    }
  }
}
