package carillon.config;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Which tokens (JWT) of an issuer (OpenID Connect) are believed. */
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

  /** What holds where nothing is set. */
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
    return uri.toString().isEmpty() || HttpsOrLoopback.holds(uri);
  }
}
