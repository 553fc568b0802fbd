package carillon.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FlowStateTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final Flow NINE_AT_ONCE =
      new Flow(
          new FlowName("s", "g", "crm"),
          new FlowDefinition(
              List.of(), List.of(), Optional.empty(), OptionalInt.of(9), Optional.empty(), true),
          Optional.empty(),
          7,
          NOON,
          NOON);

  private static FlowState state(int inFlight, long waiting, long begun, long millis) {
    return new FlowState(
        new TreeMap<>(),
        new TreeMap<>(Map.of("a", inFlight)),
        waiting,
        Optional.of(NOON),
        begun,
        millis);
  }

  /** Nine calls of two seconds each began immediately, and then nine more in their places. */
  @Test
  void theEstimateOfAYoungFlowGoesByTheTimeThatItHad() {
    assertEquals(
        Optional.of(Duration.ofSeconds(4)), state(9, 12, 18, 3_000).estimate(NINE_AT_ONCE));
  }

  @Test
  void aFlowOfWhichNoCallHasEndedHasNoEstimate() {
    assertEquals(Optional.empty(), state(9, 12, 9, 1_000).estimate(NINE_AT_ONCE));
  }

  @Test
  void afterAMinuteTheEstimateGoesByTheLast() {
    assertEquals(
        Optional.of(Duration.ofSeconds(40)), state(9, 12, 18, 60_000).estimate(NINE_AT_ONCE));
  }
}
