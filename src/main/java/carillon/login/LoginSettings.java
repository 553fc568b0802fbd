package carillon.login;

import carillon.access.ApiKey;
import java.time.Duration;
import java.util.List;

/**
 * What is accepted as a proof of identity.
 *
 * @param required whether anybody has to say who he is
 * @param keys whether API keys are accepted
 * @param operator keys that the operator gave in the settings
 * @param revocation how long a key that was revoked may still be accepted
 * @param session how long a sign-in to the console lasts
 * @param openMonitoring whether health and metrics are for everybody
 */
public record LoginSettings(
    boolean required,
    boolean keys,
    List<ApiKey> operator,
    Duration revocation,
    Duration session,
    boolean openMonitoring) {
  /** Nobody has to say who he is. */
  public static final LoginSettings OPEN =
      new LoginSettings(false, false, List.of(), Duration.ZERO, Duration.ZERO, true);

  public LoginSettings {
    operator = List.copyOf(operator);
  }
}
