package carillon.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RedisClockTest {
  private static final long NOON_MICROS =
      Instant.parse("2026-11-20T12:00:00Z").getEpochSecond() * 1_000_000;
  private final AtomicLong nanos = new AtomicLong(7_000_000_000L);
  private final RedisClock clock = new RedisClock(nanos::get);

  /** Answers immediately. */
  private void answer(long redisMicros) {
    clock.observe(clock.ask(), redisMicros);
  }

  @Test
  void beforeTheFirstAnswerThereIsNoTime() {
    assertThrows(IllegalStateException.class, clock::instant);
  }

  @Test
  void theMonotonicClockCarriesItOn() {
    answer(NOON_MICROS);

    nanos.addAndGet(1_500_000_000L);

    assertEquals(Instant.parse("2026-11-20T12:00:01.500Z"), clock.instant());
  }

  @Test
  void aSlowAnswerDoesNotSetItBack() {
    answer(NOON_MICROS);

    nanos.addAndGet(40_000_000L);
    clock.observe(nanos.get() - 40_000_000L, NOON_MICROS + 1_000); // 39 ms under way

    assertEquals(NOON_MICROS / 1000 + 40, clock.millis());
  }

  @Test
  void itIsNeverAheadOfRedisWhateverTheRoundTrips() {
    Random random = new Random(42);
    long redisMicros = NOON_MICROS;
    for (int beat = 0; beat < 10_000; beat++) {
      long asked = clock.ask();
      long there = random.nextInt(beat % 100 == 0 ? 3_000_000 : 50_000);
      redisMicros += there;
      nanos.addAndGet(there * 1000);
      long answered = redisMicros;
      long back = random.nextInt(beat % 101 == 0 ? 3_000_000 : 50_000);
      redisMicros += back;
      nanos.addAndGet(back * 1000);
      clock.observe(asked, answered);
      assertBounds(redisMicros, "after beat " + beat);
      long pause = random.nextInt(2_000_000);
      redisMicros += pause;
      nanos.addAndGet(pause * 1000);
      assertBounds(redisMicros, "before beat " + beat);
    }
  }

  @Test
  void anAnswerThatOnlyConfirmsItChangesNothing() {
    answer(NOON_MICROS);
    nanos.addAndGet(2_000_000_000L);
    long asked = clock.ask();
    nanos.addAndGet(30_000_000L);

    long shown = clock.check(asked, NOON_MICROS + 2_010_000);

    assertEquals(NOON_MICROS / 1000 + 2010, shown);
    assertEquals(NOON_MICROS / 1000 + 2030, clock.millis());
    assertEquals(0, clock.steps());
  }

  @Test
  void anAnswerThatContradictsItIsFollowedAtOnce() {
    answer(NOON_MICROS);

    assertEquals(NOON_MICROS / 1000 - 60_000, clock.check(clock.ask(), NOON_MICROS - 60_000_000));

    assertEquals(NOON_MICROS / 1000 - 60_000, clock.millis());
    assertEquals(1, clock.steps());

    assertEquals(NOON_MICROS / 1000 + 5000, clock.check(clock.ask(), NOON_MICROS + 5_000_000));

    assertEquals(NOON_MICROS / 1000 + 5000, clock.millis());
    assertEquals(2, clock.steps());
  }

  private void assertBounds(long redisMicros, String when) {
    long earliest = ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
    assertTrue(earliest <= redisMicros, "ahead " + when);
    long latest = earliest + clock.uncertainty().toNanos() / 1000;
    assertTrue(latest >= redisMicros, "behind " + when);
  }

  @Test
  void aSlowFirstAnswerIsKnownToBeOne() {
    long asked = clock.ask();
    nanos.addAndGet(330_000_000L);
    clock.observe(asked, NOON_MICROS); // performed immediately, 330 ms on the way back

    assertEquals(Duration.ofMillis(330), clock.uncertainty());
    answer(NOON_MICROS + 330_000);
    assertEquals(Duration.ZERO, clock.uncertainty());
    assertEquals(NOON_MICROS / 1000 + 330, clock.millis());
  }

  @Test
  void anAnswerThatTookSecondsDoesNotSetItBack() {
    answer(NOON_MICROS);

    long asked = clock.ask();
    nanos.addAndGet(4_000_000_000L);
    clock.observe(asked, NOON_MICROS + 1_000);

    assertEquals(NOON_MICROS / 1000 + 4_000, clock.millis());
  }

  @Test
  void aRedisWhoseClockIsSetBackIsFollowed() {
    answer(NOON_MICROS);

    nanos.addAndGet(2_000_000_000L);
    answer(NOON_MICROS - 60_000_000L);

    assertEquals(Instant.parse("2026-11-20T11:59:00Z"), clock.instant());
  }

  @Test
  void stepsAreCountedAndSlowAnswersAreNone() {
    answer(NOON_MICROS);
    long asked = clock.ask();
    nanos.addAndGet(4_000_000_000L);
    clock.observe(asked, NOON_MICROS + 1_000);
    answer(NOON_MICROS + 4_010_000); // ahead by 10 ms: drifted
    assertEquals(0, clock.steps());

    answer(NOON_MICROS + 300_000_000L);
    assertEquals(1, clock.steps());
    answer(NOON_MICROS);
    assertEquals(2, clock.steps());
  }

  @Test
  void aMasterWhoseClockIsALittleBehindIsWaitedFor() {
    answer(NOON_MICROS);
    long before = clock.millis();

    for (int beat = 0; beat < 10; beat++) {
      answer(NOON_MICROS - 300_000 + beat * 100_000L);
      assertTrue(clock.millis() >= before, "went back at beat " + beat);
      before = clock.millis();
      nanos.addAndGet(100_000_000L);
    }

    assertEquals(NOON_MICROS / 1000 + 700, clock.millis());
  }

  @Test
  void aClockThatWasSetBackByLessThanASecondStandsStillUntilRedisHasComeUpToIt() {
    answer(NOON_MICROS);

    nanos.addAndGet(100_000_000L);
    answer(NOON_MICROS - 800_000);
    assertEquals(NOON_MICROS / 1000 + 100, clock.millis());
    nanos.addAndGet(899_000_000L);
    assertEquals(NOON_MICROS / 1000 + 100, clock.millis());

    nanos.addAndGet(2_000_000L);
    assertEquals(NOON_MICROS / 1000 + 101, clock.millis());
  }

  @Test
  void aRedisWhoseClockRunsSlowerIsNotLeftBehind() {
    answer(NOON_MICROS);

    for (int beat = 1; beat <= 20; beat++) {
      nanos.addAndGet(2_000_000_000L);
      answer(NOON_MICROS + beat * 1_840_000L); // slewed by 8 %
    }
    nanos.addAndGet(200_000_000L);

    assertEquals(NOON_MICROS / 1000 + 20 * 1840 + 200, clock.millis());
  }

  @Test
  void aRedisWhoseClockIsSetForwardIsFollowed() {
    answer(NOON_MICROS);

    answer(NOON_MICROS + 60_000_000L);

    assertEquals(Instant.parse("2026-11-20T12:01:00Z"), clock.instant());
  }
}
