package carillon.access;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text of a session as its holder has it, in a cookie: {@code <id of the API key>.<secret>}. Redis
 * stores only a hash of its secret and of its key together. So readers of Redis cannot forge a
 * session, and the session is over when the key changes.
 */
public final class SessionToken {
  private static final Pattern FORM = Pattern.compile("([a-z0-9]{1,32})\\.([A-Za-z0-9]{43})");

  private final String key;
  private final String secret;

  private SessionToken(String key, String secret) {
    this.key = key;
    this.secret = secret;
  }

  /** Returns a new session for the holder of this key. */
  public static SessionToken random(ApiKey key) {
    return new SessionToken(key.id(), ApiKeyToken.secret());
  }

  /** The session that this text is, if it is one. */
  public static Optional<SessionToken> parse(String text) {
    Matcher matcher = FORM.matcher(text);
    return matcher.matches()
        ? Optional.of(new SessionToken(matcher.group(1), matcher.group(2)))
        : Optional.empty();
  }

  /** Id of the API key. */
  public String key() {
    return key;
  }

  /** The whole session, for the cookie. */
  public String reveal() {
    return key + "." + secret;
  }

  /** Hash of the session, in hex: all that the store keeps of it. */
  public String hash(ApiKey of) {
    return ApiKeyToken.hash(secret + "." + of.hash());
  }

  @Override
  public String toString() {
    return key + ".(hidden)";
  }
}
