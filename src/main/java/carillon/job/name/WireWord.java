package carillon.job.name;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A constant of an enumeration as JSON, Redis and reports spell it: {@code HALF_OPEN} is {@code
 * halfOpen}, unless the enumeration says otherwise.
 */
public interface WireWord {
  /** The name of the constant. */
  String name();

  /** The word that is stored and answered. */
  default String word() {
    StringBuilder word = new StringBuilder(name().toLowerCase(Locale.ROOT));
    for (int gap = word.indexOf("_"); gap >= 0; gap = word.indexOf("_")) {
      word.deleteCharAt(gap).setCharAt(gap, Character.toUpperCase(word.charAt(gap)));
    }
    return word.toString();
  }

  /**
   * Returns the constant with this word. Empty if there is none, for example for a word of a later
   * version.
   */
  static <W extends WireWord> Optional<W> find(Class<W> type, String word) {
    return Stream.of(type.getEnumConstants()).filter(one -> one.word().equals(word)).findFirst();
  }

  /**
   * Returns the constant with this word.
   *
   * @throws IllegalArgumentException when there is none
   */
  static <W extends WireWord> W of(Class<W> type, String word) {
    return find(type, word)
        .orElseThrow(
            () -> new IllegalArgumentException("no " + type.getSimpleName() + ": " + word));
  }
}
