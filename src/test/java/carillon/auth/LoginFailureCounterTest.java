package carillon.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LoginFailureCounterTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final int ALLOWED = 10;
  private final LoginFailureCounter counter = new LoginFailureCounter();

  private LoginException.Kind kind(String address, Instant now) {
    return counter.count(LoginException.refused("no such key"), address, now).kind();
  }

  @Test
  void addressesOfOneIpv6NetworkCountTogether() {
    for (int i = 0; i < ALLOWED; i++) {
      assertEquals(LoginException.Kind.REFUSED, kind("2001:db8:1:2::" + i, NOON));
    }

    assertEquals(LoginException.Kind.TOO_OFTEN, kind("2001:db8:1:2:ffff::1", NOON));
    assertEquals(LoginException.Kind.REFUSED, kind("2001:db8:1:3::1", NOON), "another network");
  }

  @Test
  void eachIpv4AddressCountsForItselfUntilTheMinuteIsOver() {
    for (int i = 0; i < ALLOWED; i++) {
      kind("192.0.2.1", NOON);
    }

    assertEquals(LoginException.Kind.TOO_OFTEN, kind("192.0.2.1", NOON));
    assertEquals(LoginException.Kind.REFUSED, kind("192.0.2.2", NOON));
    assertEquals(LoginException.Kind.REFUSED, kind("192.0.2.1", NOON.plus(Duration.ofMinutes(1))));
  }
}
