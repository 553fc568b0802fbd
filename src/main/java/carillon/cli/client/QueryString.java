package carillon.cli.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Query string of an address, built from the arguments. */
public final class QueryString {
  private final StringBuilder text = new StringBuilder();

  /**
   * Adds a parameter.
   *
   * @param value null for none
   */
  public QueryString with(String name, Object value) {
    if (value != null) {
      text.append(text.isEmpty() ? '?' : '&').append(name).append('=');
      text.append(encoded(value.toString()));
    }
    return this;
  }

  /** A word as a part of an address; it may be anything. */
  static String encoded(String word) {
    return URLEncoder.encode(word, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Returns the parameters with their question mark; empty without parameters. */
  @Override
  public String toString() {
    return text.toString();
  }
}
