package carillon.job.name;

/** Quotation of a client's text, safe for a message or a log line. */
public final class Quoted {
  private static final int MAX_LENGTH = 80;

  private Quoted() {}

  /** Returns the text with control characters escaped, cut after 80 characters. */
  public static String of(String text) {
    StringBuilder quoted = new StringBuilder(Math.min(text.length(), MAX_LENGTH) + 8);
    int read = 0;
    while (read < text.length() && quoted.length() < MAX_LENGTH) {
      char c = text.charAt(read++);
      if (isPlain(c)) {
        quoted.append(c);
      } else {
        quoted.append(String.format("\\u%04x", (int) c));
      }
    }
    return read < text.length() ? quoted.append("...").toString() : quoted.toString();
  }

  /** Words for a stored field that cannot be read. */
  public static String field(String name, String text) {
    return "its field '" + name + "' holds '" + of(text) + "'";
  }

  private static boolean isPlain(char c) {
    return !Character.isISOControl(c)
        && !Character.isSurrogate(c)
        && Character.getType(c) != Character.FORMAT;
  }
}
