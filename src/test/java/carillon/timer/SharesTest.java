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
import org.junit.jupiter.api.Test;

/** Who gets a place, who waits for one, and until when the rest is put off. */
class SharesTest {
  private static final long LATER = 1000;
  private final Shares<Integer> shares = new Shares<>(100, 60);

  private static Destination host(int number) {
    return new Destination("h" + number + ".example", 80);
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
    assertEquals(60, started(new Shares<>(1000, 60), host(1), 0));
  }

  @Test
  void severalThatNeverAnswerLeavePlacesFree() {
    List<Integer> started = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      started.add(started(host(i), 0));
    }

    assertEquals(List.of(50, 25, 13, 6), started);
    assertEquals(Verdict.START, shares.offer(host(9), 0, 0), "one that has no call yet");
  }

  @Test
  void aNodeWithOnePlaceUsesIt() {
    Shares<Integer> one = new Shares<>(1, 1);

    assertEquals(Verdict.START, one.offer(host(1), 1, 0));
    assertEquals(Optional.empty(), one.finished(host(1), 5));
    assertEquals(Verdict.START, one.offer(host(1), 2, 5));
  }

  @Test
  void whatWaitsIsStartedInTurnAsPlacesBecomeFree() {
    started(host(1), 0);

    assertEquals(Optional.of(50), shares.finished(host(1), 20));
    assertEquals(Optional.of(51), shares.finished(host(1), 20));
  }

  @Test
  void aFewWaitForADestinationThatHasJustBeenCalledAndNoneForOneThatDoesNotAnswer() {
    started(host(1), 0);
    int waiting = shares.waiting();

    List<Integer> overdue = shares.overdue(LATER);

    assertTrue(waiting > 0 && waiting < 40, "" + waiting);
    assertEquals(waiting, overdue.size());
    assertEquals(0, shares.waiting());
    assertEquals(Verdict.PUT_OFF, shares.offer(host(1), 0, LATER));
  }

  @Test
  void aDestinationMayHaveWaitingWhatItGotDoneInAMoment() {
    started(host(1), 0);
    shares.overdue(LATER);
    for (int i = 0; i < 25; i++) {
      shares.finished(host(1), LATER + i);
    }
    assertEquals(25, started(host(1), LATER + 25));

    assertEquals(25, shares.waiting());
    assertEquals(0, shares.overdue(LATER + 100).size());
    assertEquals(25, shares.overdue(LATER + 700).size());
  }

  @Test
  void whatIsPutOffComesBackAtThePaceOfTheDestination() {
    started(host(1), 0);
    for (int i = 0; i < 25; i++) {
      shares.finished(host(1), LATER);
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
    started(host(1), 0);

    long soon = shares.turn(host(1), 1000) - 1000;
    long later = shares.turn(host(1), 60_000) - 60_000;

    assertEquals(20, soon, "nothing for 1 s with 50 in flight");
    assertEquals(1200, later, "nothing for 60 s");
  }

  @Test
  void nothingIsPutOffForEver() {
    started(host(1), 0);

    long latest = 0;
    for (int i = 0; i < 10_000; i++) {
      latest = shares.turn(host(1), 60_000);
    }

    assertEquals(60_000 + Shares.LATEST, latest);
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
      new Simulation(seed).run();
    }
  }

  /** An event in the future of a simulation. */
  private record Event(long at, int destination, boolean arrival) {}

  private static final class Simulation {
    private static final int PLACES = 20;
    private static final int MOST = 8;
    private static final int CALLS = 400;
    private final Random random;
    private final String name;
    private final Shares<Integer> shares = new Shares<>(PLACES, MOST);
    private final PriorityQueue<Event> events =
        new PriorityQueue<>((a, b) -> Long.compare(a.at, b.at));
    private final Map<Integer, Integer> inFlight = new HashMap<>();
    private final Deque<Event> outside = new ArrayDeque<>();
    private int called;
    private int held;

    Simulation(long seed) {
      random = new Random(seed);
      name = "seed " + seed;
    }

    void run() {
      for (int i = 0; i < CALLS; i++) {
        events.add(new Event(random.nextInt(2000), random.nextInt(6), true));
      }
      long tidied = 0;
      for (Event event = events.poll(); event != null; event = events.poll()) {
        long now = event.at;
        if (event.arrival) {
          outside.add(event);
        } else {
          end(event, now);
        }
        if (now - tidied >= Shares.MOMENT) {
          tidied = now;
          shares.overdue(now).forEach(destination -> putOff(destination, now));
        }
        while (!outside.isEmpty() && held < PLACES) {
          arrive(outside.remove(), now);
        }
        check();
      }
      assertEquals(CALLS, called, name);
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
      events.add(new Event(shares.turn(host(destination), now), destination, true));
    }

    private void start(int destination, long now) {
      called++;
      inFlight.merge(destination, 1, Integer::sum);
      long duration = destination == 0 ? 3000 : 1 + random.nextInt(20 * destination);
      events.add(new Event(now + duration, destination, false));
    }

    private void end(Event event, long now) {
      held--;
      inFlight.merge(event.destination, -1, Integer::sum);
      shares.finished(host(event.destination), now).ifPresent(next -> start(next, now));
    }

    private void check() {
      int all = inFlight.values().stream().mapToInt(Integer::intValue).sum();
      assertEquals(held, all + shares.waiting(), name);
      assertTrue(held <= PLACES, name);
      assertTrue(inFlight.values().stream().allMatch(calls -> calls <= MOST), name);
    }
  }
}
