package carillon.store.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.store.attempt.FailingSteps.Step;
import carillon.support.LogCapture;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of failing steps that stall a node, by the test's clock. */
class FailingStepsTest {
  private final Throwable failure = new IllegalStateException("no array");

  private final AtomicLong nanos = new AtomicLong();
  private final FailingSteps steps = new FailingSteps(nanos::get, Duration.ofSeconds(10));

  private void pass(int seconds) {
    nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }

  @ParameterizedTest
  @EnumSource
  void aStepThatFailsForALeaseStallsTheNode(Step step) {
    steps.failed(step, failure);
    pass(9);
    steps.failed(step, failure);
    assertFalse(steps.isStalled());

    pass(1);

    assertTrue(steps.isStalled());
    assertTrue(steps.reason().orElseThrow().startsWith("This node could not "));
    assertTrue(steps.cause(step).orElseThrow().endsWith("(node.lease). no array"));
    steps.succeeded(step);
    assertEquals(Optional.empty(), steps.reason());
  }

  @Test
  void aStepThatWasNotTriedStallsNothing() {
    pass(100);

    assertFalse(steps.isStalled());
  }

  @Test
  void oneSuccessAmongManyFailuresIsEnough() {
    for (int second = 0; second < 60; second++) {
      steps.failed(Step.CLAIM, failure); // one damaged partition
      pass(1);
      steps.succeeded(Step.CLAIM); // any other
    }
    steps.failed(Step.CLAIM, failure);

    assertFalse(steps.isStalled());
  }

  @Test
  void theLogHasOneLineAtTheBeginAndOneAtTheEnd() {
    try (LogCapture log = new LogCapture()) {
      pass(10);
      for (int i = 0; i < 5; i++) {
        steps.failed(Step.CLAIM, failure);
        steps.failed(Step.HEARTBEAT, failure);
      }
      assertEquals(1, count(log, "It refuses changes until it can."));

      steps.succeeded(Step.HEARTBEAT);
      assertEquals(0, count(log, "runs jobs again"));
      steps.succeeded(Step.CLAIM);
      steps.succeeded(Step.CLAIM);

      assertEquals(1, count(log, "runs jobs again"));
      assertEquals(1, count(log, "It refuses changes until it can."));
    }
  }

  private static long count(LogCapture log, String message) {
    return log.lines().stream()
        .filter(line -> line.startsWith("{") && line.contains(message))
        .count();
  }
}
