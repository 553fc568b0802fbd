package carillon.timer;

import static carillon.timer.DestinationBulkheadTest.PATIENCE;
import static carillon.timer.DestinationBulkheadTest.host;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Simulation of shares over time, with destinations that answer at random. */
class DestinationBulkheadSimulationTest {
  /**
   * Simulates many destinations with random speeds and random arrivals, beside a model of the
   * books. No place is lost or given twice, the limits hold after every step, and all calls are
   * made in the end.
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
   * A destination, or this node, stalls for a second while 10,000 calls are due, and is fast
   * afterwards. Deferred calls soon come, and are not deferred again and again.
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

  /** Calls of a silent destination are offered less often the longer the silence lasts. */
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

  /** Time of a call in ms. */
  private interface Duration {
    long of(int destination, long now);
  }

  private static final class Simulation {
    private final String name;
    private final int places;
    private final int most;
    private final Duration duration;
    private final DestinationBulkhead<Integer> bulkhead;
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
      this.bulkhead = new DestinationBulkhead<>(places, most, PATIENCE);
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
        if (now - tidied >= CompletionRate.WINDOW) {
          tidied = now;
          bulkhead.overdue(now).forEach(destination -> putOff(destination, now));
        }
        while (!outside.isEmpty() && held < places) {
          arrive(outside.remove(), now);
        }
        check();
      }
      assertEquals(calls, called, name);
      assertEquals(0, held, name);
      assertEquals(0, bulkhead.waiting(), name);
    }

    private void arrive(Event event, long now) {
      held++;
      switch (bulkhead.admit(host(event.destination), event.destination, now)) {
        case START -> start(event.destination, now);
        case KEEP -> {}
        case DEFER -> putOff(event.destination, now);
        default -> throw new AssertionError("no step of a bulkhead");
      }
    }

    private void putOff(int destination, long now) {
      held--;
      putOffs++;
      events.add(Event.arrival(bulkhead.retryAt(host(destination), now), destination));
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
      bulkhead
          .finished(host(event.destination), event.since, now)
          .ifPresent(next -> start(next, now));
    }

    private void check() {
      int all = inFlight.values().stream().mapToInt(Integer::intValue).sum();
      assertEquals(held, all + bulkhead.waiting(), name);
      assertTrue(held <= places, name);
      assertTrue(inFlight.values().stream().allMatch(count -> count <= most), name);
    }
  }
}
