package carillon.json.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Names that a property may hold, each with its value. Names are read in any case, and messages
 * show them as documented.
 */
public final class EnumNames<T> {
  private final Map<String, T> meanings;
  private final String rule;

  private EnumNames(Map<String, T> meanings, String rule) {
    this.meanings = meanings;
    this.rule = rule;
  }

  /** The given values, each under its word. */
  public static <T> EnumNames<T> of(Stream<T> values, Function<T, String> word) {
    Map<String, T> meanings = new HashMap<>();
    List<String> words = new ArrayList<>();
    values.forEach(
        value -> {
          words.add(word.apply(value));
          meanings.put(lowerCase(word.apply(value)), value);
        });
    return new EnumNames<>(meanings, "must be one of " + String.join(", ", words));
  }

  /** The constants of an enumeration, each under its name in lower case. */
  public static <T extends Enum<T>> EnumNames<T> of(Class<T> type) {
    return of(Stream.of(type.getEnumConstants()), value -> value.name().toLowerCase(Locale.ROOT));
  }

  /** Returns the meaning of the word at this place. */
  T read(String place, Object value) {
    T meaning = value instanceof String word ? meaning(word) : null;
    if (meaning == null) {
      throw JsonFields.refuse(place, value, rule);
    }
    return meaning;
  }

  private T meaning(String word) {
    T exact = meanings.get(word);
    return exact != null ? exact : meanings.get(lowerCase(word));
  }

  /**
   * Converts a word to lower case. Keeps the Kelvin sign, which Unicode would convert to k, because
   * no word contains it.
   */
  static String lowerCase(String word) {
    return word.indexOf('\u212a') < 0 ? word.toLowerCase(Locale.ROOT) : word;
  }

  /** Returns the word in the spelling of ARM: with a capital letter. */
  public static String capitalized(String word) {
    return Character.toUpperCase(word.charAt(0)) + word.substring(1);
  }
}
