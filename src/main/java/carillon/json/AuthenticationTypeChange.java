package carillon.json;

import java.util.List;
import java.util.Map;

/**
 * What a merge patch (RFC 7386) leaves behind when it changes the type of an authentication: the
 * user name of the one would stand in the other. Here such a change replaces the object.
 */
final class AuthenticationTypeChange {
  private static final List<List<String>> PLACES =
      List.of(
          List.of("action", "request", "authentication"),
          List.of("action", "errorAction", "request", "authentication"));

  private AuthenticationTypeChange() {}

  /** Empties each authentication of the job that the change gives another type. */
  static void prepare(Map<String, Object> job, Map<String, Object> change) {
    for (List<String> place : PLACES) {
      Map<String, Object> old = at(job, place);
      if (at(change, place).get("type") instanceof String type
          && old.get("type") instanceof String before
          && !type.equalsIgnoreCase(before)) {
        old.clear();
      }
    }
  }

  /** The object at the place; an empty one where there is none. */
  @SuppressWarnings("unchecked") // StrictJsonParser makes no other maps
  private static Map<String, Object> at(Map<String, Object> document, List<String> place) {
    Map<String, Object> object = document;
    for (String name : place) {
      if (!(object.get(name) instanceof Map<?, ?> inner)) {
        return Map.of();
      }
      object = (Map<String, Object>) inner;
    }
    return object;
  }
}
