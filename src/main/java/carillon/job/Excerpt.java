package carillon.job;

/** Makes a client's text fit to be quoted in a message or a log line. */
public final class Excerpt {
  private static final int LONGEST = 80;

  private Excerpt() {}

  /** The text with control characters escaped, cut after 80 characters. */
  public static String of(String text) {
    StringBuilder quoted = new StringBuilder(Math.min(text.length(), LONGEST) + 8);
    for (int i = 0; i < text.length() && i < LONGEST; i++) {
      char c = text.charAt(i);
      if (isPlain(c)) {
        quoted.append(c);
      } else {
        quoted.append(String.format("\\u%04x", (int) c));
      }
    }
    return text.length() > LONGEST ? quoted.append("...").toString() : quoted.toString();
  }

  private static boolean isPlain(char c) {
    return !Character.isISOControl(c)
        && !Character.isSurrogate(c)
        && Character.getType(c) != Character.FORMAT;
  }
}
