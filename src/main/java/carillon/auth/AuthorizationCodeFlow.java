package carillon.auth;

import carillon.auth.IssuerClient.IssuerAnswer;
import carillon.auth.JwtVerifier.KeySet;
import carillon.auth.JwtVerifier.TokenRefusedException;
import carillon.auth.JwtVerifier.Unverified;
import carillon.bounded.AsyncCache;
import carillon.config.AccessSettings.TokensSettings;
import carillon.config.ConsoleSettings.SignInSettings;
import com.nimbusds.jwt.JWTClaimsSet;
import io.vertx.core.Future;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authorization code flow with PKCE at the token issuer (OpenID Connect Core 1.0, RFC 7636, RFC
 * 9207, RFC 9700): redirects a browser to the request, and handles the response. Asks the issuer
 * for an ID token, and for claims that it lacks. Keeps no token. Confined to one event loop.
 */
final class AuthorizationCodeFlow {
  private static final Logger LOG = LoggerFactory.getLogger(AuthorizationCodeFlow.class);
  private static final Duration METADATA_KEPT = Duration.ofMinutes(10);
  static final Duration PAUSE = Duration.ofSeconds(5);

  /** Maximum number of concurrent exchanges, because strangers can make a node ask the issuer. */
  static final int MAX_EXCHANGES = 16;

  /** Pattern of an error (RFC 6749, section 4.1.2.1); other text is not repeated. */
  private static final Pattern ERROR = Pattern.compile("[a-z_]{1,64}");

  private final SignInOptions options;
  private final SignInSettings settings;
  private final JwtVerifier rules;
  private final IssuerClient issuer;
  private final JwksClient keys;
  private final InstantSource clock;
  private final AsyncCache<IssuerMetadata> metadata;
  private final LongSupplier nanoClock;
  private int exchanges;
  private boolean hasTold;
  private long told;

  /**
   * @param issuer client with separate connections for exchanges
   */
  AuthorizationCodeFlow(
      SignInOptions options,
      JwtVerifier rules,
      IssuerClient issuer,
      JwksClient keys,
      InstantSource clock,
      LongSupplier nanoClock) {
    this.options = options;
    this.settings = options.settings();
    this.rules = rules;
    this.issuer = issuer;
    this.keys = keys;
    this.clock = clock;
    this.nanoClock = nanoClock;
    this.metadata = new AsyncCache<>(METADATA_KEPT, nanoClock);
  }

  /**
   * A person whom the issuer has proven.
   *
   * @param subject permanent id of the person at the issuer
   * @param name name for logs
   * @param words values of the roles claim that are known here
   */
  record Person(String subject, String name, List<String> words) {}

  /**
   * Returns the address at which a browser signs in. Fails with a {@link LoginException}.
   *
   * @param asksAgain whether the issuer must ask for the identity even if it knows it
   */
  Future<String> requestUri(SignInSecret secret, boolean asksAgain) {
    return metadata()
        .map(
            document -> {
              Map<String, String> query = new LinkedHashMap<>();
              query.put("response_type", "code");
              query.put("client_id", settings.clientId());
              query.put("redirect_uri", options.redirectUri());
              query.put("scope", String.join(" ", settings.scopes()));
              query.put("state", secret.state());
              query.put("nonce", secret.nonce());
              query.put("code_challenge", secret.challenge());
              query.put("code_challenge_method", "S256");
              if (asksAgain) {
                query.put("prompt", "login");
              }
              return withQuery(document.authorizationEndpoint(), query);
            })
        .recover(this::unreachable);
  }

  /**
   * Returns the address at which a person signs out of the issuer. Empty if the issuer has none or
   * cannot be reached. Does not fail.
   */
  Future<Optional<String>> endSessionUri() {
    return metadata()
        .map(
            document ->
                document
                    .endSessionEndpoint()
                    .map(
                        uri ->
                            withQuery(
                                uri,
                                Map.of(
                                    "client_id",
                                    settings.clientId(),
                                    "post_logout_redirect_uri",
                                    options.redirectUri()))))
        .otherwise(Optional.empty());
  }

  /** Whether there is no room for another exchange. */
  boolean isBusy() {
    return exchanges >= MAX_EXCHANGES;
  }

  /**
   * Exchanges the code of a response for the identity of the person. Fails with a {@link
   * LoginException}. Callers must check first that the flow is not busy.
   *
   * @param response whose state is that of the secret
   */
  Future<Person> person(AuthorizationResponse response, SignInSecret secret) {
    exchanges++;
    return metadata()
        .compose(document -> exchanged(document, response, secret))
        .recover(this::unreachable)
        .onComplete(done -> exchanges--);
  }

  private Future<Person> exchanged(
      IssuerMetadata document, AuthorizationResponse response, SignInSecret secret) {
    check(document, response);
    return issuer
        .post(document.tokenEndpoint(), authentication(document), form(document, response, secret))
        .map(AuthorizationCodeFlow::tokens)
        .compose(
            tokens ->
                claims(tokens, secret)
                    .compose(claims -> complete(document, tokens, claims))
                    .map(this::person));
  }

  /** Refuses a response of another issuer (mix-up), or without a code. */
  private void check(IssuerMetadata document, AuthorizationResponse response) {
    boolean isNamed = !response.iss().isEmpty();
    if (isNamed
        ? !response.iss().equals(rules.settings().issuer().toString())
        : document.namesItself()) {
      throw LoginException.declined("The answer came from another issuer; sign in again.");
    }
    if (!response.error().isEmpty()) {
      throw LoginException.declined(
          response.error().equals("access_denied")
              ? "The sign-in was refused, or cancelled."
              : "The issuer did not let you sign in (" + word(response.error()) + ").");
    }
    if (response.code().isEmpty()) {
      throw LoginException.declined("The issuer's answer has no code; sign in again.");
    }
  }

  private Map<String, String> authentication(IssuerMetadata document) {
    if (options.secret().isEmpty() || !document.takesBasicAuthentication()) {
      return Map.of("Accept", "application/json");
    }
    // RFC 6749, section 2.3.1: both are form-encoded first.
    String pair = encoded(settings.clientId()) + ":" + encoded(options.secret());
    String basic = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.US_ASCII));
    return Map.of("Accept", "application/json", "Authorization", "Basic " + basic);
  }

  private String form(
      IssuerMetadata document, AuthorizationResponse response, SignInSecret secret) {
    Map<String, String> form = new LinkedHashMap<>();
    form.put("grant_type", "authorization_code");
    form.put("code", response.code());
    form.put("redirect_uri", options.redirectUri());
    form.put("code_verifier", secret.verifier());
    if (options.secret().isEmpty()) {
      form.put("client_id", settings.clientId());
    } else if (!document.takesBasicAuthentication()) {
      form.put("client_id", settings.clientId());
      form.put("client_secret", options.secret());
    }
    return encoded(form);
  }

  private static JsonObject tokens(IssuerAnswer answer) {
    JsonObject json = new JsonObject(answer.text());
    if (answer.status() == 200) {
      return json;
    }
    String error = word(String.valueOf(json.getValue("error")));
    if (error.equals("invalid_grant")) {
      throw LoginException.declined(
          "The issuer does not know this sign-in, or no longer; sign in again.");
    }
    throw new IllegalStateException("its token endpoint answered " + answer.status() + " " + error);
  }

  private Future<Map<String, Object>> claims(JsonObject tokens, SignInSecret secret) {
    try {
      Unverified token = rules.read(String.valueOf(tokens.getValue("id_token")));
      return keys.keysFor(token).map(known -> verified(token, known, secret).getClaims());
    } catch (TokenRefusedException e) {
      throw LoginException.refused(e.getMessage());
    }
  }

  private JWTClaimsSet verified(Unverified token, KeySet known, SignInSecret secret) {
    try {
      return rules.verifyIdToken(
          token, known, settings.clientId(), secret.nonce(), clock.instant());
    } catch (TokenRefusedException e) {
      throw LoginException.refused(e.getMessage());
    }
  }

  /** Adds claims that some issuers provide only at their userinfo endpoint. */
  private Future<Map<String, Object>> complete(
      IssuerMetadata document, JsonObject tokens, Map<String, Object> claims) {
    Optional<URI> userinfo = document.userinfoEndpoint();
    if ((claims.containsKey(nameClaim()) && claims.containsKey(tokenSettings().rolesClaim()))
        || userinfo.isEmpty()) {
      return Future.succeededFuture(claims);
    }
    return issuer
        .get(
            userinfo.get(),
            Map.of(
                "Accept",
                "application/json",
                "Authorization",
                "Bearer " + tokens.getValue("access_token")))
        .map(answer -> merged(claims, answer));
  }

  /**
   * Merges the claims. Those of the ID token take precedence, and an answer about another person is
   * not used (section 5.3.2).
   */
  private static Map<String, Object> merged(Map<String, Object> claims, IssuerAnswer answer) {
    if (answer.status() != 200) {
      throw new IllegalStateException("its userinfo endpoint answered " + answer.status());
    }
    Map<String, Object> all = new LinkedHashMap<>(claims);
    try {
      Map<String, Object> more = new JsonObject(answer.text()).getMap();
      if (claims.get("sub").equals(more.get("sub"))) {
        more.forEach(all::putIfAbsent);
      }
    } catch (DecodeException e) {
      LOG.atDebug().addKeyValue("error", e.getMessage()).log("userinfo not used");
    }
    return all;
  }

  private Person person(Map<String, Object> claims) {
    try {
      return new Person(
          String.valueOf(claims.get("sub")),
          JwtVerifier.name(claims.get(nameClaim())),
          rules.meaningful(JwtVerifier.words(claims.get(tokenSettings().rolesClaim()))));
    } catch (TokenRefusedException e) {
      throw LoginException.refused(e.getMessage());
    }
  }

  private TokensSettings tokenSettings() {
    return rules.settings();
  }

  private String nameClaim() {
    return settings.nameClaim().isEmpty() ? tokenSettings().nameClaim() : settings.nameClaim();
  }

  private Future<IssuerMetadata> metadata() {
    return metadata.get("", issuer::discover);
  }

  /** Fails the sign-in. Any failure except a refusal counts as unavailability of the issuer. */
  private <T> Future<T> unreachable(Throwable failure) {
    if (failure instanceof LoginException) {
      return Future.failedFuture(failure);
    }
    long now = nanoClock.getAsLong();
    if (!hasTold || now - told > PAUSE.toNanos()) { // strangers must not fill the log
      hasTold = true;
      told = now;
      LOG.atWarn()
          .addKeyValue("issuer", tokenSettings().issuer().toString())
          .addKeyValue("error", failure.getMessage())
          .log("cannot sign anybody in at the token issuer");
    }
    return Future.failedFuture(
        LoginException.unavailable("the issuer does not answer as it should", PAUSE));
  }

  private static String word(String error) {
    return ERROR.matcher(error).matches() ? error : "unknown error";
  }

  private static String withQuery(URI endpoint, Map<String, String> query) {
    return endpoint + (endpoint.getRawQuery() == null ? "?" : "&") + encoded(query);
  }

  private static String encoded(Map<String, String> parameters) {
    return parameters.entrySet().stream()
        .map(parameter -> parameter.getKey() + "=" + encoded(parameter.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
