package carillon.json;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The camel case of .NET's Json.NET, which the retired service let loose on header names: {@code
 * Content-Type} was answered as {@code content-Type}, {@code URL} as {@code url}.
 */
final class JsonNetCamelCase {
  private JsonNetCamelCase() {}

  /** Lowers the capitals that the text begins with, but not one that begins a later word. */
  static String of(String text) {
    int capitals = 0;
    while (capitals < text.length() && Character.isUpperCase(text.charAt(capitals))) {
      capitals++;
    }
    boolean endsInWord = capitals > 1 && capitals < text.length();
    int lowered = endsInWord ? capitals - 1 : capitals;
    StringBuilder camel = new StringBuilder(text);
    for (int i = 0; i < lowered; i++) {
      camel.setCharAt(i, Character.toLowerCase(camel.charAt(i)));
    }
    return camel.toString();
  }

  /** The same texts under camel-cased names. */
  static Map<String, String> keysOf(Map<String, String> texts) {
    Map<String, String> camelCased = new LinkedHashMap<>();
    texts.forEach((name, text) -> camelCased.put(of(name), text));
    return camelCased;
  }
}
