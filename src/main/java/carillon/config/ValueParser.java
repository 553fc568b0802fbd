package carillon.config;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Parser of the text of a setting into a value of its type. Failures are IllegalArgumentExceptions
 * whose message is the rule.
 */
final class ValueParser {
  private ValueParser() {}

  static Object parse(Type type, String text) {
    return elementType(type)
        .<Object>map(element -> list(element, text))
        .orElseGet(() -> single((Class<?>) type, text.strip()));
  }

  /** The type of the elements, when this is a list. */
  static Optional<Class<?>> elementType(Type type) {
    return type instanceof ParameterizedType generic && generic.getRawType() == List.class
        ? Optional.of((Class<?>) generic.getActualTypeArguments()[0])
        : Optional.empty();
  }

  /** Reads a comma-separated list; spaces around elements and empty elements do not count. */
  private static List<Object> list(Class<?> element, String text) {
    return Arrays.stream(text.split(","))
        .map(String::strip)
        .filter(part -> !part.isEmpty())
        .map(part -> single(element, part))
        .toList();
  }

  private static Object single(Class<?> type, String text) {
    if (type == int.class) {
      return Math.toIntExact(number(text, Integer.MAX_VALUE));
    } else if (type == long.class) {
      return number(text, Long.MAX_VALUE);
    } else if (type == boolean.class) {
      return bool(text);
    } else if (type == Duration.class) {
      return DurationText.parse(text);
    } else if (type == Path.class) {
      return path(text);
    } else if (type == URI.class) {
      return uri(text);
    } else if (type.isEnum()) {
      return constant(type, text);
    } else if (type == String.class) {
      return text;
    }
    throw new IllegalStateException("settings cannot be of " + type);
  }

  private static long number(String text, long max) {
    try {
      long number = Long.parseLong(text);
      if (number >= -max && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // same message as for a number that is too large
    }
    throw new IllegalArgumentException("must be a whole number of at most " + max);
  }

  private static boolean bool(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("must be true or false");
    };
  }

  private static Path path(String text) {
    try {
      if (!text.isEmpty()) {
        return Path.of(text);
      }
    } catch (InvalidPathException e) {
      // same message as for an empty path
    }
    throw new IllegalArgumentException("must be the path of a file or directory");
  }

  private static URI uri(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      // Without the cause: its message holds the text, which may hold a password.
      throw new IllegalArgumentException(
          "must be a URI: " + e.getReason() + " at character " + (e.getIndex() + 1));
    }
  }

  private static Object constant(Class<?> type, String text) {
    return Arrays.stream(type.getEnumConstants())
        .filter(constant -> constant.toString().equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("must be " + constants(type)));
  }

  private static String constants(Class<?> type) {
    return Arrays.stream(type.getEnumConstants())
        .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(" or "));
  }
}
