package carillon.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RedisClockTest {
  private static final long NOON_MICROS =
      Instant.parse("2026-11-20T12:00:00Z").getEpochSecond() * 1_000_000;
  private final AtomicLong nanos = new AtomicLong(7_000_000_000L);
  private final RedisClock clock = new RedisClock(nanos::get);

  @Test
  void beforeTheFirstAnswerThereIsNoTime() {
    assertThrows(IllegalStateException.class, clock::instant);
  }

  @Test
  void theMonotonicClockCarriesItOn() {
    clock.observe(NOON_MICROS);

    nanos.addAndGet(1_500_000_000L);

    assertEquals(Instant.parse("2026-11-20T12:00:01.500Z"), clock.instant());
  }

  @Test
  void aSlowAnswerDoesNotSetItBack() {
    clock.observe(NOON_MICROS);

    nanos.addAndGet(40_000_000L);
    clock.observe(NOON_MICROS + 1_000); // answered 39 ms before it arrived

    assertEquals(NOON_MICROS / 1000 + 40, clock.millis());
  }

  @Test
  void itIsNeverAheadOfRedisWhateverTheRoundTrips() {
    Random random = new Random(42);
    long redisMicros = NOON_MICROS;
    for (int beat = 0; beat < 10_000; beat++) {
      long answered = redisMicros;
      long underway = random.nextInt(50_000);
      redisMicros += underway;
      nanos.addAndGet(underway * 1000);
      clock.observe(answered);
      assertTrue(clock.millis() * 1000 <= redisMicros, "ahead after beat " + beat);
      long pause = random.nextInt(2_000_000);
      redisMicros += pause;
      nanos.addAndGet(pause * 1000);
      assertTrue(clock.millis() * 1000 <= redisMicros, "ahead before beat " + beat);
    }
  }

  @Test
  void aRedisWhoseClockIsSetBackIsFollowed() {
    clock.observe(NOON_MICROS);

    nanos.addAndGet(2_000_000_000L);
    clock.observe(NOON_MICROS - 60_000_000L);

    assertEquals(Instant.parse("2026-11-20T11:59:00Z"), clock.instant());
  }

  @Test
  void aMasterWhoseClockIsALittleBehindIsWaitedFor() {
    clock.observe(NOON_MICROS);
    long before = clock.millis();

    for (int beat = 0; beat < 10; beat++) {
      clock.observe(NOON_MICROS - 300_000 + beat * 100_000L);
      assertTrue(clock.millis() >= before, "went back at beat " + beat);
      before = clock.millis();
      nanos.addAndGet(100_000_000L);
    }

    assertEquals(NOON_MICROS / 1000 + 700, clock.millis());
  }

  @Test
  void aRedisWhoseClockIsSetForwardIsFollowed() {
    clock.observe(NOON_MICROS);

    clock.observe(NOON_MICROS + 60_000_000L);

    assertEquals(Instant.parse("2026-11-20T12:01:00Z"), clock.instant());
  }
}
