package carillon.json;

import carillon.job.JobException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Names that a property may hold, each with the value it stands for. Read in any case, told in
 * messages in lower case.
 */
final class EnumNames<T> {
  private final Map<String, T> meanings;

  private EnumNames(Map<String, T> meanings) {
    this.meanings = meanings;
  }

  /** The given values, each under its word. */
  static <T> EnumNames<T> of(Stream<T> values, Function<T, String> word) {
    Map<String, T> meanings = new LinkedHashMap<>();
    values.forEach(value -> meanings.put(word.apply(value).toLowerCase(Locale.ROOT), value));
    return new EnumNames<>(meanings);
  }

  /** The constants of an enumeration, each under its name. */
  static <T extends Enum<T>> EnumNames<T> of(Class<T> type) {
    return of(Stream.of(type.getEnumConstants()), Enum::name);
  }

  /** What the word at this place means. */
  T read(String place, Object value) {
    T meaning = value instanceof String word ? meaning(word) : null;
    if (meaning == null) {
      throw refusal(place, value);
    }
    return meaning;
  }

  private T meaning(String word) {
    T exact = meanings.get(word);
    return exact != null ? exact : meanings.get(word.toLowerCase(Locale.ROOT));
  }

  /** The word as ARM has it: with a capital letter. */
  static String capitalized(String word) {
    return Character.toUpperCase(word.charAt(0)) + word.substring(1);
  }

  private JobException refusal(String place, Object value) {
    return JsonFields.refuse(
        place, value, "must be one of " + String.join(", ", meanings.keySet()));
  }
}
