package carillon.support;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An OpenID Connect issuer. The test signs people in by calling a method. The issuer gives codes
 * for requests and tokens for codes, by the rules of RFC 6749 and RFC 7636. A test can make it
 * break these rules.
 */
public final class IssuerServer implements AutoCloseable {
  public static final String CLIENT = "the console";
  public static final String SECRET = "s3cret:/ +";
  public static final String REDIRECT = "https://carillon.example.org/";
  private static final RSAKey KEY = key();
  private static final RSAKey OTHER_KEY = key();

  private final Vertx vertx = Vertx.vertx();
  private final HttpServer server;
  private final Instant now;
  private final Map<String, Grant> grants = new ConcurrentHashMap<>();

  /** Entries of the discovery document, in addition to its address. */
  public final Map<String, Object> metadata = new ConcurrentHashMap<>();

  /** Answer of the userinfo endpoint. */
  public final Map<String, Object> userinfo = new ConcurrentHashMap<>();

  /** Requested paths, and how clients authenticated. */
  public final List<String> asked = new CopyOnWriteArrayList<>();

  /** Statuses that replace the answers at some paths. */
  public final Map<String, Integer> statuses = new ConcurrentHashMap<>();

  /** Paths that never answer. */
  public final Set<String> silent = ConcurrentHashMap.newKeySet();

  /** Whether its clients have a secret. */
  public volatile boolean wantsSecret;

  /** Whether tokens are signed with an unpublished key. */
  public volatile boolean signsWithAnotherKey;

  private record Grant(Map<String, String> request, JWTClaimsSet claims) {}

  /** Starts the issuer. This instant is its current time. */
  public IssuerServer(Instant now) {
    this.now = now;
    server =
        Await.result(vertx.createHttpServer().requestHandler(this::answer).listen(0, "127.0.0.1"));
    for (String name : List.of("authorization", "token", "userinfo", "end_session")) {
      metadata.put(name + "_endpoint", uri() + "/" + name);
    }
    metadata.put("jwks_uri", uri() + "/keys");
  }

  private static RSAKey key() {
    try {
      return new RSAKeyGenerator(2048).keyID("one").generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  public String uri() {
    return "http://127.0.0.1:" + server.actualPort();
  }

  /** Returns a token for a user with all rights at the audience. */
  public String token(String audience) {
    return signed(claims(audience).build());
  }

  private JWTClaimsSet.Builder claims(String audience) {
    return new JWTClaimsSet.Builder()
        .issuer(uri())
        .audience(audience)
        .subject("ada")
        .claim("roles", List.of("staff", "boss"))
        .issueTime(Date.from(now))
        .expirationTime(Date.from(now.plusSeconds(300)));
  }

  /** Returns how often a path was requested. */
  public long timesAsked(String path) {
    return asked.stream().filter(path::equals).count();
  }

  /** Signs a person in for a request. Returns the code that their browser would bring back. */
  public String authorize(String request, Consumer<JWTClaimsSet.Builder> claims) {
    Map<String, String> query = query(URI.create(request).getRawQuery());
    JWTClaimsSet.Builder token = claims(query.get("client_id")).claim("nonce", query.get("nonce"));
    claims.accept(token);
    String code = UUID.randomUUID().toString();
    grants.put(code, new Grant(query, token.build()));
    return code;
  }

  /** Returns the parameters of a query. */
  public static Map<String, String> query(String text) {
    return Stream.of(text.split("&", -1))
        .map(pair -> pair.split("=", 2))
        .collect(
            Collectors.toMap(
                pair -> pair[0], pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8)));
  }

  private void answer(HttpServerRequest request) {
    request.setExpectMultipart(request.headers().contains("Content-Type"));
    request.end().onSuccess(end -> answer(request, request.formAttributes()));
  }

  private void answer(HttpServerRequest request, MultiMap form) {
    String proof = request.getHeader("Authorization");
    asked.add(
        request.path()
            + (proof == null ? "" : " " + proof.split(" ", 2)[0])
            + (form.contains("client_secret") ? " form" : ""));
    if (silent.contains(request.path())) {
      return;
    }
    if (statuses.containsKey(request.path())) {
      request
          .response()
          .setStatusCode(statuses.get(request.path()))
          .putHeader("Location", uri() + "/elsewhere")
          .end("<html>");
      return;
    }
    switch (request.path()) {
      case "/.well-known/openid-configuration" ->
          json(request, 200, new JsonObject(new HashMap<>(metadata)).put("issuer", uri()));
      case "/keys" -> request.response().end(new JWKSet(KEY).toPublicJWKSet().toString());
      case "/token" -> tokens(request, form);
      case "/userinfo" -> json(request, 200, new JsonObject(new HashMap<>(userinfo)));
      default -> request.response().setStatusCode(404).end();
    }
  }

  private void tokens(HttpServerRequest request, MultiMap form) {
    Grant grant = grants.remove(String.valueOf(form.get("code"))); // valid only once
    if (wantsSecret && !isKnown(request, form)) {
      json(request, 401, new JsonObject().put("error", "invalid_client"));
    } else if (grant == null
        || !"authorization_code".equals(form.get("grant_type"))
        || !grant.request.get("redirect_uri").equals(form.get("redirect_uri"))
        || !grant.request.get("code_challenge").equals(hash(form.get("code_verifier")))) {
      json(request, 400, new JsonObject().put("error", "invalid_grant"));
    } else {
      json(
          request,
          200,
          new JsonObject()
              .put("token_type", "Bearer")
              .put("access_token", "access-" + UUID.randomUUID())
              .put("id_token", signed(grant.claims)));
    }
  }

  private static boolean isKnown(HttpServerRequest request, MultiMap form) {
    String proof = request.getHeader("Authorization");
    return proof == null
        ? SECRET.equals(form.get("client_secret")) && CLIENT.equals(form.get("client_id"))
        : proof.equals(
            "Basic " + base64("the+console:s3cret%3A%2F+%2B".getBytes(StandardCharsets.UTF_8)));
  }

  private String signed(JWTClaimsSet claims) {
    try {
      SignedJWT token =
          new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("one").build(), claims);
      token.sign(new RSASSASigner(signsWithAnotherKey ? OTHER_KEY : KEY));
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void json(HttpServerRequest request, int status, JsonObject json) {
    request
        .response()
        .setStatusCode(status)
        .putHeader("Content-Type", "application/json")
        .end(json.encode());
  }

  /** Returns the challenge of a verifier, as RFC 7636 defines it. */
  public static String hash(String verifier) {
    try {
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(
              MessageDigest.getInstance("SHA-256")
                  .digest(verifier.getBytes(StandardCharsets.US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** Returns an array for the discovery document. */
  public static JsonArray array(String... words) {
    return new JsonArray(List.of(words));
  }

  @Override
  public void close() {
    Await.result(vertx.close());
  }
}
