package carillon.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.support.Await;
import carillon.support.TestClock;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WakeUpTimerTest {
  private final TestClock clock = new TestClock(Instant.parse("2026-11-20T12:00:00Z"));
  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final Set<Integer> polled = ConcurrentHashMap.newKeySet();

  @AfterEach
  void stop() {
    Await.result(vertx.close());
  }

  private void onLoop(Runnable step) {
    Await.result(
        Future.future(
            done ->
                loop.runOnContext(
                    go -> {
                      step.run();
                      done.complete();
                    })));
  }

  @Test
  void itWakesUpInTimeAfterTheClockWasSetBack() {
    WakeUpTimer[] timer = new WakeUpTimer[1];
    onLoop(() -> timer[0] = new WakeUpTimer(vertx, clock, 4, polled::add));

    clock.step(Duration.ofMinutes(-5));
    onLoop(() -> timer[0].set(2, clock.millis() + 20));
    Await.until("all are polled once more", () -> polled.size() == 4);
    polled.clear();
    clock.advance(Duration.ofMillis(20));

    Await.until("it wakes up", () -> polled.contains(2));
  }

  @Test
  void whatIsDueIsPolledWithoutWaitingForATimer() {
    onLoop(
        () -> {
          WakeUpTimer timer = new WakeUpTimer(vertx, clock, 4, polled::add);
          timer.set(1, clock.millis());
          timer.set(2, clock.millis() - 5);
          timer.set(3, clock.millis() + 1);

          assertEquals(Set.of(1, 2), polled);
        });
  }
}
