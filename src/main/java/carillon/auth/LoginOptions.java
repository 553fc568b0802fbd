package carillon.auth;

import carillon.access.ApiKey;
import carillon.config.AccessSettings;
import carillon.config.AccessSettings.Proof;
import carillon.config.ConsoleSettings.SignInSettings;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Options of authentication: which keys, tokens and certificates are accepted.
 *
 * @param operator keys that the operator gave in the settings
 * @param tokens the rules for tokens; empty if none are accepted
 * @param certificates whose holders are accepted; empty if certificates are not accepted
 * @param signIn at the issuer, to the console; empty if it is off
 */
public record LoginOptions(
    AccessSettings settings,
    List<ApiKey> operator,
    Optional<JwtVerifier> tokens,
    Optional<CertificateGrants> certificates,
    Optional<SignInOptions> signIn) {

  public LoginOptions {
    operator = List.copyOf(operator);
  }

  /**
   * Reads the rules in the settings.
   *
   * @throws IllegalStateException that names a setting which cannot be understood
   */
  public static LoginOptions of(AccessSettings settings, List<ApiKey> operator) {
    return new LoginOptions(
        settings,
        operator,
        settings.accept().contains(Proof.TOKENS)
            ? Optional.of(read("access.tokens.roles", () -> JwtVerifier.of(settings.tokens())))
            : Optional.empty(),
        settings.accept().contains(Proof.CERTIFICATES)
            ? Optional.of(
                read("access.certificates", () -> CertificateGrants.parse(settings.certificates())))
            : Optional.empty(),
        Optional.empty());
  }

  /**
   * Options that also let people sign in to the console as these settings say. Reads the file that
   * the settings name: blocks.
   */
  public LoginOptions withSignIn(SignInSettings settings) {
    return settings.isEnabled()
        ? new LoginOptions(
            this.settings, operator, tokens, certificates, Optional.of(SignInOptions.of(settings)))
        : this;
  }

  private static <T> T read(String setting, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(setting + ": " + e.getMessage(), e);
    }
  }

  /** Whether API keys are accepted. */
  boolean acceptsKeys() {
    return settings.accept().contains(Proof.KEYS);
  }
}
