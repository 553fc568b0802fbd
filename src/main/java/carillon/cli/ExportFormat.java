package carillon.cli;

import carillon.job.QuerySecrets;
import carillon.job.Secret;
import carillon.job.SensitiveNames;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Makes lines of an export from what the API answers. */
final class ExportFormat {
  private static final String START = "startTime";
  private static final String RECURRENCE = "recurrence";
  private static final String COUNT = "count";
  private static final String STATE = "state";

  /** The secret of each type of authentication, without which it is not whole. */
  private static final Map<String, String> SECRETS =
      Map.of(
          "basic", "password",
          "bearer", "token",
          "apikey", "value",
          "oauth2clientcredentials", "clientSecret",
          "clientcertificate", "pfx",
          "activedirectoryoauth", "secret",
          "sharedaccesskey", "sasKey");

  private final boolean carriesOn;

  /**
   * A maker of lines.
   *
   * @param carriesOn whether recurring jobs go on where they are, instead of beginning again: what
   *     is left of their count, and no extra run at once for want of a startTime
   */
  ExportFormat(boolean carriesOn) {
    this.carriesOn = carriesOn;
  }

  ExportLine collection(JsonNode answered) {
    ObjectNode definition = answered.deepCopy();
    definition.remove("name");
    boolean isSigned = definition.remove("signing") != null;
    return new ExportLine(
        answered.path("name").asText(),
        Optional.empty(),
        definition,
        isSigned ? List.of("signing.secrets") : List.of());
  }

  /** Empty for a job that is finished: put again, it would run again. */
  Optional<ExportLine> job(String collection, JsonNode answered) {
    String state = answered.path(STATE).asText();
    if (state.equals("completed") || state.equals("faulted")) {
      return Optional.empty();
    }
    ObjectNode definition = answered.deepCopy();
    JsonNode status = definition.path("status");
    definition.remove(List.of("id", "status"));
    if (carriesOn && definition.get(RECURRENCE) instanceof ObjectNode recurrence) {
      carryOn(definition, recurrence, status);
    }
    List<String> leftOut = new ArrayList<>();
    findSecrets(definition.path("action"), "action", leftOut);
    return Optional.of(
        new ExportLine(collection, Optional.of(answered.path("id").asText()), definition, leftOut));
  }

  private static void carryOn(ObjectNode definition, ObjectNode recurrence, JsonNode status) {
    if (recurrence.has(COUNT)) {
      int left = recurrence.path(COUNT).asInt() - status.path("executionCount").asInt();
      recurrence.put(COUNT, Math.max(1, left));
    }
    if (!definition.has(START) && status.hasNonNull("nextExecutionTime")) {
      definition.set(START, status.get("nextExecutionTime"));
    }
  }

  private static void findSecrets(JsonNode node, String place, List<String> found) {
    node.properties()
        .forEach(
            field -> {
              String here = place + "." + field.getKey();
              if (hasMask(place, field.getKey(), field.getValue().asText())) {
                found.add(here);
              }
              secret(field.getKey(), field.getValue())
                  .ifPresent(name -> found.add(here + "." + name));
              findSecrets(field.getValue(), here, found);
            });
  }

  private static boolean hasMask(String place, String name, String value) {
    return place.endsWith(".headers")
        ? SensitiveNames.isHeader(name) && value.equals(Secret.MASK)
        : name.equals("uri") && QuerySecrets.of(value).containsValue(Secret.MASK);
  }

  /** The name of the secret that belongs into this object, if one does. */
  private static Optional<String> secret(String name, JsonNode object) {
    if (name.equals("queueMessage") && object.isObject()) {
      return Optional.of("sasToken");
    }
    return name.equals("authentication")
        ? Optional.ofNullable(SECRETS.get(object.path("type").asText().toLowerCase(Locale.ROOT)))
        : Optional.empty();
  }
}
