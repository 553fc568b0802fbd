package carillon.codec;

/**
 * A number of a document that is no whole number of at most 18 digits. It stays text: nothing in
 * the model is such a number, and making one of {@code 1e1000000000} would take the memory.
 */
record Inexact(String text) {
  @Override
  public String toString() {
    return text;
  }
}
