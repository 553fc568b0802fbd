package carillon.support;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A token of Service Bus, parsed and verified as documented, without the code that creates such
 * tokens.
 *
 * @param resource resource to which it gives access
 * @param expiry instant of its end
 * @param keyName name of the signing key
 */
public record SharedAccessSignature(String resource, Instant expiry, String keyName) {
  private static final String SCHEME = "SharedAccessSignature ";

  /** Parses a token. Fails if it was not signed with the key. */
  public static SharedAccessSignature verify(String token, String key) {
    if (!token.startsWith(SCHEME)) {
      throw new AssertionError("not a token: " + token);
    }
    Map<String, String> parts = new HashMap<>();
    for (String part : token.substring(SCHEME.length()).split("&", -1)) {
      parts.put(part.substring(0, part.indexOf('=')), part.substring(part.indexOf('=') + 1));
    }
    String expected = hmac(key, parts.get("sr") + "\n" + parts.get("se"));
    if (!expected.equals(decoded(parts.get("sig")))) {
      throw new AssertionError("the signature does not match");
    }
    return new SharedAccessSignature(
        decoded(parts.get("sr")),
        Instant.ofEpochSecond(Long.parseLong(parts.get("se"))),
        decoded(parts.get("skn")));
  }

  private static String hmac(String key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
