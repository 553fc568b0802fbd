package carillon.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.Caller;
import carillon.access.Role;
import carillon.access.Scope;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.PlainJWT;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.interfaces.RSAPublicKey;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Test of the required claims of a signed token, and of the permissions that it gives. */
class TokensTest extends TokensFixture {
  @Test
  void letsItsHolderDoWhatTheWordsInItAllow() throws JOSEException {
    Caller ada = identify(rs256(claims()));

    assertEquals("ada", ada.name());
    assertEquals(Caller.AuthenticationMethod.TOKEN, ada.proof());
    assertTrue(ada.may(Role.WRITER, Scope.parse("default/default/b")));
    assertFalse(ada.may(Role.READER, Scope.EVERYTHING));
    assertTrue(
        identify(rs256(claims().claim("roles", "x boss"))).may(Role.ADMIN, Scope.EVERYTHING),
        "words with blanks between them");
    assertTrue(identify(rs256(claims().claim("roles", null))).grants().isEmpty());
    JWSHeader.Builder es256 = new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("two");
    assertEquals("ada", identify(signed(es256, claims(), new ECDSASigner(ec))).name());
  }

  /**
   * Token that must be refused.
   *
   * @param reason pattern that the reason of the refusal must contain
   */
  private record Row(String what, String token, String reason) {}

  /** Returns tokens with a single defect each. */
  private Stream<Row> refused() throws Exception {
    String good = rs256(claims());
    String[] parts = good.split("\\.", -1);
    byte[] publicKey = ((RSAPublicKey) rsa.toPublicKey()).getEncoded();
    return Stream.of(
        new Row("no token", "abc", "form"),
        new Row("three empty parts", "..", "form"),
        new Row("alg none", new PlainJWT(claims().build()).serialize(), "form"),
        new Row(
            "alg none with a signature",
            base64("{\"alg\":\"none\"}") + "." + parts[1] + "." + parts[2],
            "form"),
        new Row(
            "a shared secret made of the public key",
            signed(
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("one"),
                claims(),
                new MACSigner(publicKey)),
            "algorithm"),
        new Row(
            "an algorithm that is not set",
            signed(new JWSHeader.Builder(JWSAlgorithm.RS512).keyID("one"), claims(), signer(rsa)),
            "algorithm"),
        new Row(
            "another key under the same name",
            signed(header("one"), claims(), signer(otherRsa)),
            "signature"),
        new Row(
            "its own key in the header",
            signed(header("one").jwk(otherRsa.toPublicJWK()), claims(), signer(otherRsa)),
            "signature"),
        new Row(
            "a place of its own for keys",
            signed(header("evil").jwkURL(URI.create(issuer + "/evil")), claims(), signer(otherRsa)),
            "no such key"),
        new Row(
            "critical parameters",
            signed(
                header("one").criticalParams(Set.of("exp")).customParam("exp", 1),
                claims(),
                signer(rsa)),
            "critical"),
        new Row(
            "claims that were changed",
            parts[0] + "." + base64(claims().subject("eve").build().toString()) + "." + parts[2],
            "signature"),
        new Row("no signature", parts[0] + "." + parts[1] + ".", "form|signature"),
        new Row("another issuer", rs256(claims().issuer(issuer + "/")), "issuer"),
        new Row("no issuer", rs256(claims().issuer(null)), "issuer"),
        new Row("another audience", rs256(claims().audience("other")), "audience"),
        new Row("no audience", rs256(claims().audience((String) null)), "audience"),
        new Row("no end", rs256(claims().expirationTime(null)), "never ends"),
        new Row(
            "expired", rs256(claims().expirationTime(Date.from(NOW.minusSeconds(31)))), "expired"),
        new Row(
            "not yet valid",
            rs256(claims().notBeforeTime(Date.from(NOW.plusSeconds(31)))),
            "not hold yet"),
        new Row(
            "a notice that somebody has signed out",
            signed(header("one").type(new JOSEObjectType("logout+jwt")), claims(), signer(rsa)),
            "type"),
        new Row(
            "a name of two lines",
            rs256(claims().subject("ada\nby operator")),
            "control characters"),
        new Row(
            "a name that hides its end",
            rs256(claims().subject("ada\u202e")),
            "control characters"),
        new Row("nobody", rs256(claims().subject(null)), "who it is"));
  }

  @Test
  void refusesEverythingElse() throws Exception {
    refused()
        .forEach(
            row -> {
              String reason = reason(row.token);
              assertTrue(reason.matches(".*(" + row.reason + ").*"), row.what + ": " + reason);
            });
    assertEquals(1, asked.get(), "the issuer alone, and once");
  }

  private static String base64(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void allowsForClocksThatDiffer() {
    assertEquals(
        "ada",
        identify(
                rs256(
                    claims()
                        .expirationTime(Date.from(NOW.minusSeconds(29)))
                        .notBeforeTime(Date.from(NOW.minusSeconds(900)))))
            .name());
  }

  @Test
  void aTokenEndsToTheSecondAlsoWhereItIsRemembered() {
    String token = rs256(claims().expirationTime(Date.from(NOW.plusSeconds(2))));
    identify(token);
    now.set(NOW.plusSeconds(32));
    assertEquals("the token has expired", reason(token));
  }

  @Test
  void theTypeMayBeLeftOutOrBeThatOfAnAccessToken() {
    for (String type : List.of("JWT", "at+jwt", "AT+JWT")) {
      JWSHeader.Builder header = header("one").type(new JOSEObjectType(type));
      assertEquals("ada", identify(signed(header, claims(), signer(rsa))).name());
    }
    JWSHeader.Builder none = header("one").type(null);
    assertEquals("ada", identify(signed(none, claims(), signer(rsa))).name());
  }

  @Test
  void nobodyPassesForTheHolderOfAKeyByHisName() {
    Caller eve = identify(rs256(claims().subject("operator (key admin)")));

    assertEquals("token:operator (key admin)", eve.text());
  }
}
