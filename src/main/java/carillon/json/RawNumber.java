package carillon.json;

/**
 * A number of a document that is no whole number of at most 18 digits. It stays text: making a
 * decimal of {@code 1e1000000000} would take the memory.
 */
record RawNumber(String text) {
  /**
   * The nearest double to a value of a document; NaN, which is in no range, for what is no number.
   */
  static double valueOf(Object value) {
    return value instanceof RawNumber number ? Double.parseDouble(number.text) : Double.NaN;
  }

  @Override
  public String toString() {
    return text;
  }
}
