package carillon.job.action;

/** Function over the texts of a call that may hold placeholders. */
@FunctionalInterface
public interface TextMapping {
  /**
   * Returns the text to use instead.
   *
   * @param field path of the property within the payload of the action, such as {@code
   *     headers.Accept}
   * @param form by which a value in the text must be escaped
   */
  String apply(String field, String text, TextForm form);

  /** TextForm of a text. */
  enum TextForm {
    PLAIN,
    /** Path and query of a URI. */
    URI,
    /** A JSON document. Placeholders are within its strings. */
    JSON;

    private static final String JSON_TYPE = "(?i)\\s*[\\w.-]+/(?:[\\w.-]+\\+)?json\\s*(?:;.*)?";

    /** The form of a body with this media type. */
    public static TextForm ofMediaType(String type) {
      return type.matches(JSON_TYPE) ? JSON : PLAIN;
    }
  }
}
