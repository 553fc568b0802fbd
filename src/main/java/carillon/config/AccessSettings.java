package carillon.config;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Section {@code access}: who may use the API. May hold a key: {@code toString} does not show it.
 */
public record AccessSettings(
    List<Proof> accept,
    boolean unprotected,
    boolean openMonitoring,
    @Setting(secret = true) String adminKey,
    String adminKeyFile,
    Duration revocation,
    Duration session,
    TokensSettings tokens,
    List<String> certificates) {

  /** Way of authentication for clients. */
  public enum Proof {
    KEYS,
    TOKENS,
    CERTIFICATES
  }

  public AccessSettings {
    accept = List.copyOf(accept);
    certificates = List.copyOf(certificates);
    boolean takesTokens = accept.contains(Proof.TOKENS);
    new SettingRules("access")
        .require(
            !takesTokens || !tokens.issuer().toString().isEmpty(),
            "tokens.issuer",
            tokens.issuer(),
            "must be set where access.accept contains tokens",
            "access.accept")
        .require(
            !takesTokens || !tokens.audience().isEmpty(),
            "tokens.audience",
            tokens.audience(),
            "must be set where access.accept contains tokens",
            "access.accept")
        .require(
            !takesTokens || !tokens.roles().isEmpty(),
            "tokens.roles",
            tokens.roles(),
            "must be set where access.accept contains tokens, or nobody could do anything",
            "access.accept")
        .require(
            accept.contains(Proof.CERTIFICATES) != certificates.isEmpty(),
            "certificates",
            certificates,
            "must be set where access.accept contains certificates, and only there",
            "access.accept")
        .require(
            adminKey.isEmpty() || adminKeyFile.isEmpty(),
            "adminKeyFile",
            adminKeyFile,
            "must be empty where access.adminKey is set",
            "access.adminKey")
        .readable("adminKeyFile", adminKeyFile)
        .require(
            accept.contains(Proof.KEYS) || (adminKey.isEmpty() && adminKeyFile.isEmpty()),
            "accept",
            words(accept),
            "must contain keys where access.adminKey or access.adminKeyFile is set",
            "access.adminKey",
            "access.adminKeyFile")
        .require(
            accept.isEmpty() || !unprotected,
            "unprotected",
            unprotected,
            "must be false where access.accept is set",
            "access.accept")
        .between("revocation", revocation, ofMillis(100), ofMinutes(1))
        .between("session", session, ofMinutes(1), ofDays(30))
        .check();
  }

  /** Returns the default settings. */
  static AccessSettings defaults() {
    return new AccessSettings(
        List.of(),
        false,
        false,
        "",
        "",
        ofSeconds(5),
        ofHours(8),
        TokensSettings.defaults(),
        List.of());
  }

  /** Whether callers have to say who they are. */
  public boolean isRequired() {
    return !accept.isEmpty();
  }

  private static String words(List<Proof> accept) {
    return accept.toString().toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return "Access[accept=%s, unprotected=%s]".formatted(words(accept), unprotected);
  }

  /** Section {@code access.tokens}: which tokens (JWT) of an OpenID Connect issuer are accepted. */
  public record TokensSettings(
      URI issuer,
      String audience,
      List<String> algorithms,
      URI keys,
      String trustedCa,
      Duration leeway,
      String nameClaim,
      String rolesClaim,
      List<String> roles) {
    private static final Set<String> ALGORITHMS =
        Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");

    public TokensSettings {
      algorithms = List.copyOf(algorithms);
      roles = List.copyOf(roles);
      String place = "must be https://..., or http://... on this machine";
      new SettingRules("access.tokens")
          .require(isUnsetOrSafe(issuer), "issuer", issuer, place)
          .require(isUnsetOrSafe(keys), "keys", keys, place)
          .require(
              !algorithms.isEmpty() && ALGORITHMS.containsAll(algorithms),
              "algorithms",
              algorithms,
              "must be some of RS, PS or ES with 256, 384 or 512")
          .readable("trustedCa", trustedCa)
          .between("leeway", leeway, Duration.ZERO, ofMinutes(5))
          .require(!nameClaim.isBlank(), "nameClaim", nameClaim, "must be the name of a claim")
          .require(!rolesClaim.isBlank(), "rolesClaim", rolesClaim, "must be the name of a claim")
          .check();
    }

    /** Returns the default settings. */
    static TokensSettings defaults() {
      return new TokensSettings(
          URI.create(""),
          "",
          List.of("RS256", "ES256"),
          URI.create(""),
          "",
          ofSeconds(30),
          "sub",
          "roles",
          List.of());
    }

    private static boolean isUnsetOrSafe(URI uri) {
      return uri.toString().isEmpty() || SettingRules.isHttpsOrLoopback(uri);
    }
  }
}
