package carillon.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a script takes, as its head says: the names of its keys and arguments, in order. A key is
 * called by the kind of key it is: {@code {17}:job:<job>} is {@code job}.
 *
 * @param keys names of the keys
 * @param arguments names of the arguments; several of one description have one name
 * @param furtherKeys name of each key after those; empty text where there is none
 * @param furtherArguments name of each argument after those; empty text where there is none
 */
record ScriptSignature(
    List<String> keys, List<String> arguments, String furtherKeys, String furtherArguments) {
  private static final Pattern PARAMETER =
      Pattern.compile(
          "-- (KEYS|ARGV)\\[(\\d*)(\\.\\.)?(\\w*)] +"
              + "(?:(?:hash|zsets?|list|string|stream or list|stream|int|text|float) +)?"
              + "(?:\\{\\w+}:|<prefix>-queue:\\{<collection>}:|<prefix>-|see )?(\\w+).*");

  /** Reads the head of a script. */
  static ScriptSignature of(String script) {
    List<String> keys = new ArrayList<>();
    List<String> arguments = new ArrayList<>();
    String furtherKeys = "";
    String furtherArguments = "";
    for (String line : script.split("\n", -1)) {
      Matcher parameter = PARAMETER.matcher(line);
      if (parameter.matches()) {
        boolean isKey = parameter.group(1).equals("KEYS");
        String name = parameter.group(5);
        if (parameter.group(3) == null) {
          (isKey ? keys : arguments).add(name);
        } else if (parameter.group(4).matches("\\d+")) {
          int first = Integer.parseInt(parameter.group(2));
          int last = Integer.parseInt(parameter.group(4));
          for (int i = first; i <= last; i++) {
            (isKey ? keys : arguments).add(name);
          }
        } else if (isKey) {
          furtherKeys = name;
        } else {
          furtherArguments = name;
        }
      }
    }
    return new ScriptSignature(
        List.copyOf(keys), List.copyOf(arguments), furtherKeys, furtherArguments);
  }

  /** Name of the key at this place, from 0. */
  String key(int place) {
    return place < keys.size() ? keys.get(place) : furtherKeys;
  }

  /** Name of the argument at this place, from 0. */
  String argument(int place) {
    return place < arguments.size() ? arguments.get(place) : furtherArguments;
  }
}
