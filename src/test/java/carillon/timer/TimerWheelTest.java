package carillon.timer;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimerWheelTest {
  private static final long NOW = 1_790_000_000_123L;
  private static final int SLOTS = 128;
  private static final int NO_LIMIT = Integer.MAX_VALUE;

  private final List<String> woken = new ArrayList<>();
  private final TimerWheel wheel = new TimerWheel(100, SLOTS, NOW);

  private int advance(long now, int limit) {
    return wheel.advance(now, limit, (partition, at) -> woken.add(partition + "@" + (at - NOW)));
  }

  @Test
  void aWakeUpIsVisitedAtItsInstantAndNotBefore() {
    wheel.schedule(7, NOW + 20);

    assertEquals(0, advance(NOW + 19, NO_LIMIT));
    assertEquals(1, advance(NOW + 20, NO_LIMIT));
    assertEquals(0, advance(NOW + 500, NO_LIMIT));
    assertEquals(List.of("7@20"), woken);
  }

  @Test
  void theEarliestSlotComesFirstAndAPartitionOncePerSlot() {
    wheel.schedule(99, NOW + 3);
    wheel.schedule(1, NOW + 90);
    wheel.schedule(64, NOW + 3);
    wheel.schedule(99, NOW + 3);
    wheel.schedule(99, NOW + 4);

    assertEquals(4, advance(NOW + 100, NO_LIMIT));
    assertEquals(List.of("64@3", "99@3", "99@4", "1@90"), woken);
  }

  @Test
  void aPastInstantIsDueAtOnceEvenWhenTheClockStandsStill() {
    assertTrue(wheel.schedule(3, NOW - 1_000_000));
    assertTrue(wheel.schedule(4, Long.MIN_VALUE));

    assertEquals(OptionalLong.of(NOW), wheel.nextWakeUp());
    assertEquals(2, advance(NOW, NO_LIMIT));
    assertEquals(List.of("3@0", "4@0"), woken);
  }

  @Test
  void anInstantBeyondTheHorizonIsNotTakenUntilTheWheelHasMovedOn() {
    assertTrue(wheel.schedule(1, NOW + SLOTS - 1));
    assertFalse(wheel.schedule(2, NOW + SLOTS));
    assertFalse(wheel.schedule(2, Long.MAX_VALUE));

    advance(NOW + 1, NO_LIMIT);

    assertTrue(wheel.schedule(2, NOW + SLOTS));
    assertEquals(2, advance(NOW + SLOTS, NO_LIMIT));
    assertEquals(List.of("1@127", "2@128"), woken);
  }

  @Test
  void whatTheLimitLeavesStaysDueInOrder() {
    for (int partition = 0; partition < 10; partition++) {
      wheel.schedule(partition, NOW + partition / 4);
    }

    assertEquals(0, advance(NOW + 50, 0));
    assertEquals(5, advance(NOW + 50, 5));
    assertEquals(OptionalLong.of(NOW + 1), wheel.nextWakeUp());
    assertEquals(5, advance(NOW + 50, 5));
    assertEquals(0, advance(NOW + 50, 5));
    assertEquals(
        List.of("0@0", "1@0", "2@0", "3@0", "4@1", "5@1", "6@1", "7@1", "8@2", "9@2"), woken);
  }

  @Test
  void anIntervalLongerThanTheHorizonMakesEverythingDueOnce() {
    wheel.schedule(5, NOW);
    wheel.schedule(6, NOW + 60);
    wheel.schedule(7, NOW + 127);

    assertEquals(3, advance(NOW + 86_400_000L * 400, NO_LIMIT));
    assertEquals(List.of("5@0", "6@60", "7@127"), woken);
    assertEquals(OptionalLong.empty(), wheel.nextWakeUp());
  }

  @Test
  void nothingHappensWhenTheClockGoesBackwards() {
    advance(NOW + 50, NO_LIMIT);
    wheel.schedule(5, NOW + 20);

    assertEquals(0, advance(NOW + 20, NO_LIMIT));
    assertEquals(0, advance(Long.MIN_VALUE, NO_LIMIT));
    assertEquals(OptionalLong.of(NOW + 50), wheel.nextWakeUp());
    assertEquals(1, advance(NOW + 50, NO_LIMIT));
  }

  @Test
  void theSinkMaySchedule() {
    wheel.schedule(1, NOW + 1);

    int visited =
        wheel.advance(
            NOW + 10,
            NO_LIMIT,
            (partition, at) -> {
              woken.add(partition + "@" + (at - NOW));
              if (partition < 3) {
                wheel.schedule(partition + 1, at + 8);
              }
            });

    assertEquals(2, visited);
    assertEquals(OptionalLong.of(NOW + 17), wheel.nextWakeUp());
  }

  @Test
  void aSinkThatThrowsLosesOnlyItsOwnWakeUp() {
    wheel.schedule(1, NOW);
    wheel.schedule(2, NOW);
    TimerWheel.Sink broken =
        (partition, at) -> {
          throw new IllegalStateException("broken");
        };

    assertThrows(IllegalStateException.class, () -> wheel.advance(NOW, NO_LIMIT, broken));

    assertEquals(1, advance(NOW, NO_LIMIT));
    assertEquals(List.of("2@0"), woken);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, -64, -1_000_000, Long.MIN_VALUE, Long.MAX_VALUE - 127})
  void itWorksAtAnyInstant(long start) {
    TimerWheel odd = new TimerWheel(1, SLOTS, start);
    List<Long> instants = new ArrayList<>();

    assertTrue(odd.schedule(0, start + 127));
    assertTrue(odd.schedule(0, start));
    odd.advance(Long.MAX_VALUE, NO_LIMIT, (partition, at) -> instants.add(at));

    assertEquals(List.of(start, start + 127), instants);
    assertTrue(odd.schedule(0, Long.MAX_VALUE));
    assertEquals(OptionalLong.of(Long.MAX_VALUE), odd.nextWakeUp());
    assertEquals(1, odd.advance(Long.MAX_VALUE, NO_LIMIT, (partition, at) -> {}));
  }

  @Test
  void nonsenseIsRefused() {
    assertAll(
        () -> assertThrows(IllegalArgumentException.class, () -> new TimerWheel(0, 64, 0)),
        () -> assertThrows(IllegalArgumentException.class, () -> new TimerWheel(1, 32, 0)),
        () -> assertThrows(IllegalArgumentException.class, () -> new TimerWheel(1, 96, 0)),
        () -> assertThrows(IllegalArgumentException.class, () -> wheel.schedule(-1, NOW)),
        () -> assertThrows(IllegalArgumentException.class, () -> wheel.schedule(100, NOW)));
  }
}
