package carillon.auth;

import carillon.access.ApiKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What is accepted as a proof of identity.
 *
 * @param required whether anybody has to say who he is
 * @param keys whether API keys are accepted
 * @param operator keys that the operator gave in the settings
 * @param revocation how long a key that was revoked may still be accepted
 * @param session how long a sign-in to the console lasts
 * @param issuer of the tokens that are accepted; empty where none are
 * @param certificates whose holders are let in; empty where certificates prove nothing
 * @param openMonitoring whether health and metrics are for everybody
 */
public record LoginOptions(
    boolean required,
    boolean keys,
    List<ApiKey> operator,
    Duration revocation,
    Duration session,
    Optional<IssuerOptions> issuer,
    Optional<CertificateGrants> certificates,
    boolean openMonitoring) {
  /** Nobody has to say who he is. */
  public static final LoginOptions OPEN =
      new LoginOptions(
          false,
          false,
          List.of(),
          Duration.ZERO,
          Duration.ZERO,
          Optional.empty(),
          Optional.empty(),
          true);

  public LoginOptions {
    operator = List.copyOf(operator);
  }

  /** Only API keys are accepted; a session lasts eight hours. */
  public static LoginOptions keys(
      List<ApiKey> operator, Duration revocation, boolean openMonitoring) {
    return new LoginOptions(
        true,
        true,
        operator,
        revocation,
        Duration.ofHours(8),
        Optional.empty(),
        Optional.empty(),
        openMonitoring);
  }
}
