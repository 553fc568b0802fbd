package carillon.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * Secret of a pending sign-in at the issuer. The browser has it in a cookie that scripts cannot
 * read. State, nonce and code verifier are hashes of it, so no node has to remember the sign-in,
 * and none of them reveals another.
 */
final class SignInSecret {
  private static final RandomGenerator RANDOM = new SecureRandom();
  private static final int BYTES = 32;
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]{43}");
  private static final int ID_LENGTH = 8;

  private final String text;

  private SignInSecret(String text) {
    this.text = text;
  }

  static SignInSecret random() {
    byte[] bytes = new byte[BYTES];
    RANDOM.nextBytes(bytes);
    return new SignInSecret(base64(bytes));
  }

  /** The secret that this text is, if it is one. */
  static Optional<SignInSecret> parse(String text) {
    return FORM.matcher(text).matches() ? Optional.of(new SignInSecret(text)) : Optional.empty();
  }

  /** Returns the text for the cookie. */
  String reveal() {
    return text;
  }

  /** Ties the response to the browser that sent the request (RFC 6749, section 10.12). */
  String state() {
    return hash("state." + text);
  }

  /** Ties the ID token to the request. */
  String nonce() {
    return hash("nonce." + text);
  }

  /** Proves to the token endpoint that the request was ours (RFC 7636). */
  String verifier() {
    return hash("verifier." + text);
  }

  /** Returns the code challenge of the method S256. */
  String challenge() {
    return hash(verifier());
  }

  /** Whether the state of a response is that of this sign-in; in constant time. */
  boolean hasState(String state) {
    return MessageDigest.isEqual(
        state().getBytes(StandardCharsets.US_ASCII), state.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Returns the id that distinguishes the sign-ins of a browser; empty if the state is not from
   * this program.
   */
  static Optional<String> id(String state) {
    return FORM.matcher(state).matches()
        ? Optional.of(state.substring(0, ID_LENGTH))
        : Optional.empty();
  }

  private static String hash(String text) {
    try {
      return base64(
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
