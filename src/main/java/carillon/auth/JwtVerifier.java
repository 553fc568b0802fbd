package carillon.auth;

import carillon.access.Caller;
import carillon.access.Grant;
import carillon.config.AccessSettings.TokensSettings;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.text.ParseException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Verifier of signed tokens (JWT), and the grants of their holders. The token chooses neither the
 * algorithm, the key, nor the place of keys. Only configured algorithms are accepted, none of them
 * with a shared secret, and only keys of the issuer.
 *
 * @param roles grants of each word in the roles claim
 */
public record JwtVerifier(TokensSettings settings, List<RoleOf> roles) {
  private static final int MAX_NAME_LENGTH = 128;

  /** Values of the header typ, in lower case (RFC 7519, RFC 9068); it may be left out. */
  private static final Set<String> TYPES = Set.of("jwt", "at+jwt", "application/at+jwt");

  public JwtVerifier {
    roles = List.copyOf(roles);
  }

  /**
   * The verifier that the settings ask for.
   *
   * @throws IllegalArgumentException that quotes the role which cannot be understood
   */
  public static JwtVerifier of(TokensSettings settings) {
    return new JwtVerifier(settings, settings.roles().stream().map(RoleOf::parse).toList());
  }

  /** Grant to the holders of tokens with this word. */
  public record RoleOf(String word, Grant grant) {

    /**
     * Reads {@code word=role:scope}.
     *
     * @throws IllegalArgumentException that quotes the entry and says the rule
     */
    public static RoleOf parse(String entry) {
      int equals = entry.lastIndexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("'" + entry + "' must be word=role:scope");
      }
      try {
        return new RoleOf(entry.substring(0, equals), Grant.parse(entry.substring(equals + 1)));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "'" + entry + "' must be word=role:scope; " + e.getMessage(), e);
      }
    }
  }

  /** Refusal of a token; the message says why and holds nothing of the token. */
  public static final class TokenRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    TokenRefusedException(String reason) {
      super(reason, null, false, false);
    }
  }

  /** Token that has been parsed and not verified. */
  public static final class Unverified {
    private final SignedJWT token;

    private Unverified(SignedJWT token) {
      this.token = token;
    }

    private JWSHeader header() {
      return token.getHeader();
    }
  }

  /** Public keys of an issuer. */
  public static final class KeySet {
    private final JWKSet keys;

    private KeySet(JWKSet keys) {
      this.keys = keys;
    }

    /** Reads a JSON Web Key Set. */
    public static Optional<KeySet> parse(String json) {
      try {
        return Optional.of(new KeySet(JWKSet.parse(json)));
      } catch (ParseException e) {
        return Optional.empty();
      }
    }

    private Optional<JWK> find(JWSHeader header) {
      return new JWKSelector(JWKMatcher.forJWSHeader(header))
          .select(keys).stream().filter(AsymmetricJWK.class::isInstance).findFirst();
    }

    /** Whether the key that the token names is among them. */
    public boolean has(Unverified token) {
      return find(token.header()).isPresent();
    }
  }

  /** Parses a token and checks its header, before keys are fetched. */
  public Unverified read(String text) throws TokenRefusedException {
    try {
      SignedJWT token = SignedJWT.parse(text);
      JWSAlgorithm algorithm = token.getHeader().getAlgorithm();
      if (algorithm == null || !settings.algorithms().contains(algorithm.getName())) {
        throw new TokenRefusedException("the algorithm of the token is not accepted");
      }
      if (!isAccess(token.getHeader().getType())) {
        throw new TokenRefusedException("the type of the token is not that of an access token");
      }
      if (token.getHeader().getCriticalParams() != null) {
        throw new TokenRefusedException("the token has critical parameters");
      }
      return new Unverified(token);
    } catch (ParseException | IllegalArgumentException e) {
      throw new TokenRefusedException("the token has not the form of one");
    }
  }

  /** Whether it is an access token: issuers sign other things too, such as logout notices. */
  private static boolean isAccess(JOSEObjectType type) {
    return type == null || TYPES.contains(type.getType().toLowerCase(Locale.ROOT));
  }

  /** Verifies signature and claims, and returns the caller. */
  public Proven verify(Unverified unverified, KeySet keys, Instant now)
      throws TokenRefusedException {
    JWTClaimsSet claims = signed(unverified, keys);
    Instant until = validity(claims, now);
    require(
        claims.getAudience().contains(settings.audience()), "the token is for another audience");
    Caller caller =
        new Caller(
            name(claims.getClaim(settings.nameClaim())),
            Caller.AuthenticationMethod.TOKEN,
            "",
            grants(words(claims.getClaim(settings.rolesClaim()))));
    return new Proven(caller, until);
  }

  /**
   * A verified token.
   *
   * @param until when it expires
   */
  public record Proven(Caller caller, Instant until) {}

  /**
   * Verifies an ID token (OpenID Connect Core 1.0, section 3.1.3.7): that the issuer made it for
   * this client, in answer to this request.
   */
  JWTClaimsSet verifyIdToken(
      Unverified unverified, KeySet keys, String clientId, String nonce, Instant now)
      throws TokenRefusedException {
    JWTClaimsSet claims = signed(unverified, keys);
    validity(claims, now);
    require(claims.getAudience().contains(clientId), "the ID token is for another client");
    Object party = claims.getClaim("azp");
    require(
        party == null ? claims.getAudience().size() == 1 : party.equals(clientId),
        "the ID token was issued to another client");
    require(nonce.equals(claims.getClaim("nonce")), "the ID token answers another request");
    require(
        claims.getSubject() != null && !claims.getSubject().isBlank(),
        "the ID token has no subject");
    return claims;
  }

  private static JWTClaimsSet signed(Unverified unverified, KeySet keys)
      throws TokenRefusedException {
    SignedJWT token = unverified.token;
    try {
      JWK key =
          keys.find(token.getHeader())
              .orElseThrow(() -> new TokenRefusedException("the issuer has no such key"));
      JWSVerifier verifier =
          new DefaultJWSVerifierFactory()
              .createJWSVerifier(token.getHeader(), ((AsymmetricJWK) key).toPublicKey());
      if (!token.verify(verifier)) {
        throw new TokenRefusedException("the signature of the token is not that of the issuer");
      }
      return token.getJWTClaimsSet();
    } catch (JOSEException | ParseException e) {
      throw new TokenRefusedException("the token cannot be verified");
    }
  }

  /** Returns the end of validity of a token of the issuer, which is valid now. */
  private Instant validity(JWTClaimsSet claims, Instant now) throws TokenRefusedException {
    require(
        settings.issuer().toString().equals(claims.getIssuer()), "the token is of another issuer");
    Date end = claims.getExpirationTime();
    require(end != null, "the token never ends");
    Instant until = end.toInstant().plus(settings.leeway());
    require(now.isBefore(until), "the token has expired");
    Date begin = claims.getNotBeforeTime();
    require(
        begin == null || !now.isBefore(begin.toInstant().minus(settings.leeway())),
        "the token does not hold yet");
    return until;
  }

  /** The name that a claim is. */
  static String name(Object claim) throws TokenRefusedException {
    require(
        claim instanceof String text && !text.isBlank() && text.length() <= MAX_NAME_LENGTH,
        "the token does not say who it is");
    require(Caller.isPrintable((String) claim), "the name in the token has control characters");
    return (String) claim;
  }

  private static void require(boolean holds, String otherwise) throws TokenRefusedException {
    if (!holds) {
      throw new TokenRefusedException(otherwise);
    }
  }

  /** The words that a claim is: with blanks between them, or an array. */
  static List<String> words(Object claim) {
    if (claim instanceof String text) {
      return Arrays.asList(text.split(" "));
    }
    List<String> words = new ArrayList<>();
    if (claim instanceof List<?> list) {
      list.forEach(element -> words.add(String.valueOf(element)));
    }
    return words;
  }

  /** Returns the grants of the words of the roles claim. */
  List<Grant> grants(List<String> words) {
    return roles.stream().filter(role -> words.contains(role.word())).map(RoleOf::grant).toList();
  }

  /** Returns the words that have a grant. */
  List<String> meaningful(List<String> words) {
    return roles.stream().map(RoleOf::word).distinct().filter(words::contains).toList();
  }
}
