package carillon.access;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text of a session of a person who signed in at the issuer of tokens, as their browser has it in a
 * cookie: {@code ~<person>.<secret>.<claims>}. Redis stores only a hash of the whole text and of
 * the client that the issuer knows. So readers of Redis cannot forge a session, and nobody can
 * change the claims. If the settings name another issuer or client, the session is over.
 */
public final class IssuerSessionToken {
  /** Prefix of the id of a person; no id of an API key has it. */
  private static final String PREFIX = "~";

  private static final int ID_DIGITS = 32;

  /** Maximum length of the claims. A cookie with its attributes may have 4096 characters. */
  private static final int MAX_CLAIMS = 3072;

  private static final Pattern FORM =
      Pattern.compile(
          "(~[0-9a-f]{32})\\.([A-Za-z0-9]{43})\\.([A-Za-z0-9_-]{1," + MAX_CLAIMS + "})");

  /** Separator of the name and the words. */
  private static final String SEPARATOR = "\n";

  private final String person;
  private final String secret;
  private final String claims;
  private final List<String> lines;

  private IssuerSessionToken(String person, String secret, String claims) {
    this.person = person;
    this.secret = secret;
    this.claims = claims;
    this.lines =
        List.of(
            new String(Base64.getUrlDecoder().decode(claims), StandardCharsets.UTF_8)
                .split(SEPARATOR, -1));
  }

  /**
   * A new session of a person.
   *
   * @param issuer issuer of the token that proves the person
   * @param subject id of the person at the issuer
   * @param name printable name for logs
   * @param words values of the roles claim that are known here
   * @throws IllegalArgumentException if they are more than a cookie holds
   */
  public static IssuerSessionToken random(
      String issuer, String subject, String name, List<String> words) {
    List<String> lines = new ArrayList<>(List.of(name));
    words.stream().filter(word -> !word.contains(SEPARATOR)).forEach(lines::add);
    String claims =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(String.join(SEPARATOR, lines).getBytes(StandardCharsets.UTF_8));
    if (claims.length() > MAX_CLAIMS) {
      throw new IllegalArgumentException("the words are more than a cookie holds");
    }
    String person = ApiKeyToken.hash(issuer + SEPARATOR + subject).substring(0, ID_DIGITS);
    return new IssuerSessionToken(PREFIX + person, ApiKeyToken.secret(), claims);
  }

  /** The session that this text is, if it is one. */
  public static Optional<IssuerSessionToken> parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new IssuerSessionToken(matcher.group(1), matcher.group(2), matcher.group(3)));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // it is not base64
    }
  }

  /** Id of the person: a hash of issuer and subject. */
  public String person() {
    return person;
  }

  /** Returns the name of the person. It cannot be trusted before the hash is found. */
  public String name() {
    return lines.get(0);
  }

  /** Returns the words of the roles claim. They cannot be trusted before the hash is found. */
  public List<String> words() {
    return lines.subList(1, lines.size());
  }

  /** The whole session, for the cookie. */
  public String reveal() {
    return person + "." + secret + "." + claims;
  }

  /**
   * Hash of the session, in hex: all that the store keeps of it.
   *
   * @param issuer that the settings name
   * @param clientId under which it knows this server
   */
  public String hash(String issuer, String clientId) {
    return ApiKeyToken.hash(String.join(SEPARATOR, reveal(), issuer, clientId));
  }

  @Override
  public String toString() {
    return person + ".(hidden)";
  }
}
