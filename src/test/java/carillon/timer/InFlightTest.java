package carillon.timer;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.attempt.Claim;
import org.junit.jupiter.api.Test;

class InFlightTest {
  private final InFlight inFlight = new InFlight(10);

  private static Claim claim(String job, String at, String token) {
    return Claim.parse(
        "run:s/g/c/%s at=%s occurrence=3 main=1 revision=7 crashes=0 claim=%s"
            .formatted(job, at, token));
  }

  @Test
  void aClaimThatRedisHasMovedIsKnownBeforeItsAnswerComes() {
    inFlight.add(claim("j", "2030-01-01T00:00:16Z", "k-1"));

    assertTrue(inFlight.knows(claim("j", "2030-01-01T00:00:16Z", "k-1")));
    assertTrue(inFlight.knows(claim("j", "2030-01-01T00:00:18Z", "k-1")));
    assertFalse(inFlight.knows(claim("j", "2030-01-01T00:00:18Z", "k-2")), "of another poll");
    assertFalse(inFlight.knows(claim("i", "2030-01-01T00:00:18Z", "k-1")), "of another job");
  }
}
