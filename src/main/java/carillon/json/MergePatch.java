package carillon.json;

import java.util.LinkedHashMap;
import java.util.Map;

/** JSON Merge Patch (RFC 7386): null removes, objects merge, everything else replaces. */
final class MergePatch {
  private MergePatch() {}

  /** The target as the patch wants it. Neither argument is changed. */
  @SuppressWarnings("unchecked") // StrictJsonParser makes no other maps
  static Map<String, Object> apply(Map<String, Object> target, Map<String, Object> patch) {
    Map<String, Object> merged = new LinkedHashMap<>(target);
    patch.forEach(
        (name, change) -> {
          if (change == null) {
            merged.remove(name);
          } else if (change instanceof Map) {
            Object old = merged.get(name);
            merged.put(
                name,
                apply(
                    old instanceof Map ? (Map<String, Object>) old : Map.of(),
                    (Map<String, Object>) change));
          } else {
            merged.put(name, change);
          }
        });
    return merged;
  }
}
