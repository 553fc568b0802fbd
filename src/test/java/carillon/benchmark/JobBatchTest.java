package carillon.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class JobBatchTest {
  private static final long DUE = 1_900_000_000_000_000L;
  private static final String EXPECTED = Instant.ofEpochMilli(DUE / 1000).toString();

  private final JobBatch batch = new JobBatch("herd", 2, index -> DUE);

  @Test
  void everyJobCalledOnceAndNotEarlyIsFlawless() {
    batch.called(0, DUE, EXPECTED);
    batch.called(1, DUE + 1500, EXPECTED);

    assertTrue(batch.isFlawless());
    assertEquals(1500, batch.lateness(job -> true).max());
    assertEquals(1_000_000 / 1500.0, batch.callsPerSecond());
  }

  @Test
  void aJobThatWasNotCalledIsMissing() {
    batch.called(0, DUE, EXPECTED);

    assertEquals(1, batch.missing());
    assertFalse(batch.isFlawless());
  }

  @Test
  void aSecondCallIsARepeatAndChangesNothing() {
    batch.called(0, DUE, EXPECTED);
    batch.called(0, DUE + 9000, EXPECTED);
    batch.called(1, DUE, EXPECTED);

    assertEquals(1, batch.repeats());
    assertEquals(0, batch.lateness(job -> true).max());
    assertFalse(batch.isFlawless());
  }

  @Test
  void aCallBeforeItsInstantIsEarly() {
    batch.called(0, DUE - 1, EXPECTED);

    assertEquals(1, batch.early());
  }

  @Test
  void aCallThatNamesAnotherInstantIsMisdated() {
    batch.accepted(0, DUE - 1);
    batch.accepted(1, DUE - 1);
    batch.called(0, DUE, "2031-01-01T00:00:00Z");
    batch.called(1, DUE, null);

    assertEquals(2, batch.misdated());
  }

  @Test
  void aJobAcceptedAfterItsInstantMayNameAnother() {
    batch.accepted(0, DUE + 1);
    batch.called(0, DUE + 2, "2031-01-01T00:00:00Z");

    assertEquals(0, batch.misdated());
    assertFalse(batch.isAccepted(0, 0));
  }
}
