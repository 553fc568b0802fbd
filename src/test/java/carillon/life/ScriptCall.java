package carillon.life;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** One call of a script, as a party sent it. */
record ScriptCall(
    String party, String name, List<String> keys, List<String> arguments, Instant at) {
  /** The n-th argument, from 1. */
  String argument(int n) {
    return n <= arguments.size() ? arguments.get(n - 1) : "";
  }

  /** The n-th key, from 1. */
  String key(int n) {
    return keys.get(n - 1);
  }

  /** Those of a batch: for each the numbers of its keys and arguments, and then these. */
  List<ScriptCall> parts() {
    List<ScriptCall> parts = new ArrayList<>();
    int key = 0;
    int next = 0;
    while (next < arguments.size()) {
      int lastKey = key + Integer.parseInt(arguments.get(next));
      int first = next + 2;
      next = first + Integer.parseInt(arguments.get(next + 1));
      parts.add(
          new ScriptCall(
              party, name, keys.subList(key, lastKey), arguments.subList(first, next), at));
      key = lastKey;
    }
    return parts;
  }
}
