package carillon.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class LedgerTest {
  private static final long DUE = 1_900_000_000_000_000L;
  private static final String EXPECTED = Instant.ofEpochMilli(DUE / 1000).toString();

  private final Ledger ledger = new Ledger("herd", 2, index -> DUE);

  @Test
  void everyJobCalledOnceAndNotEarlyIsFlawless() {
    ledger.called(0, DUE, EXPECTED);
    ledger.called(1, DUE + 1500, EXPECTED);

    assertTrue(ledger.isFlawless());
    assertEquals(1500, ledger.lateness(job -> true).max());
    assertEquals(1_000_000 / 1500.0, ledger.callsPerSecond());
  }

  @Test
  void aJobThatWasNotCalledIsMissing() {
    ledger.called(0, DUE, EXPECTED);

    assertEquals(1, ledger.missing());
    assertFalse(ledger.isFlawless());
  }

  @Test
  void aSecondCallIsARepeatAndChangesNothing() {
    ledger.called(0, DUE, EXPECTED);
    ledger.called(0, DUE + 9000, EXPECTED);
    ledger.called(1, DUE, EXPECTED);

    assertEquals(1, ledger.repeats());
    assertEquals(0, ledger.lateness(job -> true).max());
    assertFalse(ledger.isFlawless());
  }

  @Test
  void aCallBeforeItsInstantIsEarly() {
    ledger.called(0, DUE - 1, EXPECTED);

    assertEquals(1, ledger.early());
  }

  @Test
  void aCallThatNamesAnotherInstantIsMisdated() {
    ledger.accepted(0, DUE - 1);
    ledger.accepted(1, DUE - 1);
    ledger.called(0, DUE, "2031-01-01T00:00:00Z");
    ledger.called(1, DUE, null);

    assertEquals(2, ledger.misdated());
  }

  @Test
  void aJobAcceptedAfterItsInstantMayNameAnother() {
    ledger.accepted(0, DUE + 1);
    ledger.called(0, DUE + 2, "2031-01-01T00:00:00Z");

    assertEquals(0, ledger.misdated());
    assertFalse(ledger.isAccepted(0, 0));
  }
}
