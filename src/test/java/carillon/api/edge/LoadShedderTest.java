package carillon.api.edge;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import carillon.api.http.HttpException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoadShedderTest {
  private long nanos = 12_345;
  private final LoadShedder overload = new LoadShedder(Duration.ofSeconds(1), () -> nanos);

  private void tick(int times, Duration late) {
    for (int i = 0; i < times; i++) {
      nanos += LoadShedder.PERIOD.plus(late).toNanos();
      overload.ticked();
    }
  }

  private boolean refuses(boolean isRead) {
    try {
      overload.check(isRead);
      return false;
    } catch (HttpException refusal) {
      assertEquals(503, refusal.status());
      assertEquals("1", refusal.headers().get("Retry-After"));
      return true;
    }
  }

  @Test
  void readsAreRefusedBeforeWritesAndWritesNotBeforeItGetsWorse() {
    tick(3, Duration.ofMillis(1500));
    assertEquals(true, refuses(true));
    assertEquals(false, refuses(false));

    tick(3, Duration.ofMillis(2500));
    assertEquals(true, refuses(true));
    assertEquals(true, refuses(false));
  }

  @Test
  void aPauseIsNoOverload() {
    tick(50, Duration.ZERO);
    tick(2, Duration.ofSeconds(30));
    tick(1, Duration.ZERO);

    assertDoesNotThrow(() -> overload.check(true));
    assertDoesNotThrow(() -> overload.check(false));
  }

  @Test
  void itEndsWithTheFirstTimerThatIsInTime() {
    tick(9, Duration.ofSeconds(5));
    assertThrows(HttpException.class, () -> overload.check(false));

    tick(1, Duration.ofMillis(3));

    assertDoesNotThrow(() -> overload.check(true));
  }
}
