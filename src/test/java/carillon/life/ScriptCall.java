package carillon.life;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Call of a script, as a party sent it. */
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

  /**
   * Splits a call of a script for many usual cases into single calls, as the script for one call
   * takes them. Each group has the number of shared arguments, the number of separate arguments per
   * call, the number of calls, and then these.
   */
  List<ScriptCall> many() {
    List<ScriptCall> calls = new ArrayList<>();
    int next = 0;
    while (next < arguments.size()) {
      int own = Integer.parseInt(arguments.get(next + 1));
      int count = Integer.parseInt(arguments.get(next + 2));
      int first = next + 3;
      next = first + Integer.parseInt(arguments.get(next));
      List<String> shared = arguments.subList(first, next);
      for (int i = 0; i < count; i++) {
        List<String> call = arguments.subList(next, next + own);
        calls.add(name.equals("finish") ? finish(call) : put(shared, call));
        next += own;
      }
    }
    return calls;
  }

  private ScriptCall put(List<String> shared, List<String> own) {
    String key = shared.get(0) + "/" + own.get(1);
    Instant now = Instant.ofEpochMilli(Long.parseLong(own.get(2)));
    return usual(
        List.of(
            key,
            "any",
            own.get(2),
            now.toString(),
            "",
            own.get(3),
            shared.get(2),
            own.get(4),
            own.get(5),
            "replace",
            shared.get(1)));
  }

  private ScriptCall finish(List<String> own) {
    return usual(
        List.of(own.get(1), "", "", "executions", own.get(2), "completed", own.get(3), own.get(4)));
  }

  private ScriptCall usual(List<String> all) {
    return new ScriptCall(party, name, List.of(), all, at);
  }

  /**
   * Returns the calls of a batch: each has the numbers of its keys and arguments, and then these.
   */
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
