package carillon.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.config.Settings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class FailedLoginsTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final int ALLOWED = 10;

  private final AtomicReference<Instant> now = new AtomicReference<>(NOON);
  private final RequestAuthenticator login =
      new RequestAuthenticator(
          null,
          LoginOptions.of(Settings.defaults().access(), List.of()),
          null,
          null,
          now::get,
          () -> 0);

  private LoginException.Kind kind(String address) {
    return login.countRefusal(LoginException.refused("no such key"), address, "a-1").kind();
  }

  @Test
  void addressesOfOneIpv6NetworkCountTogether() {
    for (int i = 0; i < ALLOWED; i++) {
      assertEquals(LoginException.Kind.REFUSED, kind("2001:db8:1:2:0:0:0:" + i));
    }

    assertEquals(LoginException.Kind.TOO_OFTEN, kind("2001:db8:1:2:ffff:0:0:1"));
    assertEquals(LoginException.Kind.REFUSED, kind("2001:db8:1:3:0:0:0:1"), "another network");
  }

  @Test
  void eachIpv4AddressCountsForItselfUntilTheMinuteIsOver() {
    for (int i = 0; i < ALLOWED; i++) {
      kind("192.0.2.1");
    }

    assertEquals(LoginException.Kind.TOO_OFTEN, kind("192.0.2.1"));
    assertEquals(LoginException.Kind.REFUSED, kind("192.0.2.2"));
    now.set(NOON.plus(Duration.ofMinutes(1)));
    assertEquals(LoginException.Kind.REFUSED, kind("192.0.2.1"));
  }
}
