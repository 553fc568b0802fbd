package carillon.cli;

import com.fasterxml.jackson.databind.JsonNode;

/** Says in a few words what an action does. */
final class ActionSummary {
  private static final int LONGEST = 60;

  private ActionSummary() {}

  /** {@code POST https://example.org/hook}, or the kind and the name of a queue. */
  static String summary(JsonNode action) {
    JsonNode request = action.path("request");
    String text =
        request.isMissingNode()
            ? action.path("type").asText() + " " + place(action)
            : request.path("method").asText() + " " + request.path("uri").asText();
    return text.length() > LONGEST ? text.substring(0, LONGEST - 1) + "…" : text.strip();
  }

  /** The first name in the payload of a queue action. */
  private static String place(JsonNode action) {
    for (String name : new String[] {"queueName", "topicPath", "stream", "list"}) {
      JsonNode found = action.findValue(name);
      if (found != null) {
        return found.asText();
      }
    }
    return "";
  }
}
