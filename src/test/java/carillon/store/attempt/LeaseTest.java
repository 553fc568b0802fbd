package carillon.store.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.attempt.Attempt;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LeaseTest {
  private final AtomicLong nanos = new AtomicLong();
  private final Lease lease = new Lease(nanos::get, Duration.ofSeconds(10), Duration.ofSeconds(1));

  private void pass(int seconds) {
    nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }

  @Test
  void itIsNotHeldBeforeTheFirstHeartbeat() {
    assertFalse(lease.isHeld());
    assertFalse(lease.isHeld(lease.stamp()));
  }

  @Test
  void renewedInTimeItIsTheSame() {
    lease.renew(lease.nanoTime());
    long first = lease.stamp();

    pass(8);
    lease.renew(lease.nanoTime());
    pass(8);

    assertTrue(lease.isHeld(first));
    assertEquals(first, lease.stamp());
  }

  @Test
  void renewedAfterItRanOutItIsAnother() {
    lease.renew(lease.nanoTime());
    long first = lease.stamp();

    pass(9);
    assertFalse(lease.isHeld(first));
    lease.renew(lease.nanoTime());

    assertTrue(lease.isHeld());
    assertFalse(lease.isHeld(first));
    assertTrue(lease.isHeld(lease.stamp()));
  }

  /** The heartbeat was sent in time, and its answer came when the lease had expired. */
  @Test
  void anAnswerThatComesTooLateBeginsAnother() {
    lease.renew(lease.nanoTime());
    long first = lease.stamp();

    pass(8);
    long sent = lease.nanoTime();
    pass(2);
    lease.renew(sent);

    assertTrue(lease.isHeld());
    assertFalse(lease.isHeld(first));
  }

  @Test
  void whatWasClaimedBeforeItWasRecalledIsNotSent() {
    lease.renew(lease.nanoTime());
    long before = lease.stamp();

    lease.recall("s/g/c");
    lease.recall("s/g/d/j");

    assertTrue(lease.isRecalled(run("s/g/c/any"), before));
    assertTrue(lease.isRecalled(run("s/g/d/j"), before));
    assertFalse(lease.isRecalled(run("s/g/d/k"), before));
    assertFalse(lease.isRecalled(run("s/g/c/any"), lease.stamp()));
    assertTrue(lease.isHeld(before));
  }

  private static Attempt run(String job) {
    return new Attempt(job, Instant.EPOCH, 1, Attempt.Phase.MAIN, 1, 1, 0);
  }
}
