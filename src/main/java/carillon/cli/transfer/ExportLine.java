package carillon.cli.transfer;

import carillon.cli.FlowsCommand;
import carillon.cli.client.JobAddress;
import carillon.cli.output.CommandException;
import carillon.cli.output.Json;
import carillon.job.action.QuerySecrets;
import carillon.job.action.Secret;
import carillon.job.action.SensitiveNames;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Line of an export: a flow, a calendar, a collection, or a job of a collection of an earlier line.
 *
 * <pre>
 * {"flow":"crm","definition":{"parallelism":10}}
 * {"calendar":"weekends","definition":{"spans":[...]}}
 * {"collection":"orders","definition":{"state":"enabled"}}
 * {"collection":"orders","job":"nightly","definition":{...},"secretsLeftOut":["action.request.authentication.password"]}
 * </pre>
 *
 * @param name of the flow, the calendar or the collection
 * @param job a job of the collection; empty in all other lines
 * @param definition in the form that the API accepts
 * @param leftOut places in the definition where secrets belong, which no answer holds
 */
record ExportLine(
    Kind kind, String name, Optional<String> job, ObjectNode definition, List<String> leftOut) {
  private static final String JOB = "job";
  private static final String DEFINITION = "definition";

  private static final String START = "startTime";
  private static final String RECURRENCE = "recurrence";
  private static final String CRON = "cron";
  private static final String COUNT = "count";
  private static final String STATE = "state";

  /** The field of each type of authentication that holds its secret. */
  private static final Map<String, String> SECRETS =
      Map.of(
          "basic", "password",
          "bearer", "token",
          "apikey", "value",
          "oauth2clientcredentials", "clientSecret",
          "clientcertificate", "pfx",
          "activedirectoryoauth", "secret",
          "sharedaccesskey", "sasKey");

  /** Kinds of lines, in the order in which jobs need them. */
  enum Kind {
    FLOW(FlowsCommand.PATH),
    CALENDAR("/calendars"),
    COLLECTION(JobAddress.collections());

    private final String path;

    Kind(String path) {
      this.path = path;
    }

    /** The path of all of this kind. */
    String path() {
      return path;
    }

    /** The field of a line that has the name. */
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Reads a line; the message of a failure describes the fault. */
  static ExportLine parse(String text) {
    try {
      JsonNode line = Json.MAPPER.readTree(text);
      if (!line.isObject()) {
        throw CommandException.refused("the line is not a JSON object");
      }
      Kind kind = kind(line);
      if (!(line.get(DEFINITION) instanceof ObjectNode definition)) {
        throw CommandException.refused("definition: an object is missing");
      }
      if (line.has(JOB) && (kind != Kind.COLLECTION || !line.get(JOB).isTextual())) {
        throw CommandException.refused("job: must be a name in a collection");
      }
      return new ExportLine(
          kind,
          line.get(kind.word()).asText(),
          Optional.ofNullable(line.path(JOB).textValue()),
          definition,
          List.of());
    } catch (IOException e) {
      throw CommandException.refused("the line is not JSON");
    }
  }

  private static Kind kind(JsonNode line) {
    List<Kind> kinds =
        Stream.of(Kind.values()).filter(kind -> line.path(kind.word()).isTextual()).toList();
    if (kinds.size() != 1) {
      throw CommandException.refused("one of flow, calendar and collection must be a name");
    }
    return kinds.get(0);
  }

  String text() {
    ObjectNode line = Json.MAPPER.createObjectNode().put(kind.word(), name);
    job.ifPresent(id -> line.put(JOB, id));
    line.set(DEFINITION, definition);
    if (!leftOut.isEmpty()) {
      leftOut.forEach(line.withArray("/secretsLeftOut")::add);
    }
    return Json.compact(line);
  }

  /** Returns its path in the API. */
  String path() {
    return job.map(id -> new JobAddress(name, id).path())
        .orElseGet(() -> JobAddress.pathOf(kind.path(), name));
  }

  /** Returns the name for messages. */
  String label() {
    return job.map(id -> name + "/" + id).orElse(kind.word() + " " + name);
  }

  /** The line of a flow that the API answered. */
  static ExportLine ofFlow(JsonNode answered) {
    return of(Kind.FLOW, answered, "pause", "state");
  }

  /** The line of a calendar that the API answered. */
  static ExportLine ofCalendar(JsonNode answered) {
    return of(Kind.CALENDAR, answered);
  }

  private static ExportLine of(Kind kind, JsonNode answered, String... dropped) {
    ObjectNode definition = answered.deepCopy();
    definition.remove("name");
    definition.remove(List.of(dropped));
    return new ExportLine(
        kind, answered.path("name").asText(), Optional.empty(), definition, List.of());
  }

  /** The line of a collection that the API answered. */
  static ExportLine ofCollection(JsonNode answered) {
    ObjectNode definition = answered.deepCopy();
    definition.remove(List.of("name", "waits"));
    boolean isSigned = definition.remove("signing") != null;
    return new ExportLine(
        Kind.COLLECTION,
        answered.path("name").asText(),
        Optional.empty(),
        definition,
        isSigned ? List.of("signing.secrets") : List.of());
  }

  /**
   * Returns the line of a job that the API answered. Empty for a finished job: an import would run
   * it again.
   *
   * @param carriesOn whether a recurring job continues where it is, instead of starting again: with
   *     the rest of its count, and without an extra immediate execution for lack of a startTime
   */
  static Optional<ExportLine> ofJob(String collection, JsonNode answered, boolean carriesOn) {
    String state = answered.path(STATE).asText();
    if (state.equals("completed") || state.equals("faulted")) {
      return Optional.empty();
    }
    ObjectNode definition = answered.deepCopy();
    JsonNode status = definition.path("status");
    definition.remove(List.of("id", "status", "pause", "waits"));
    if (carriesOn && definition.get(RECURRENCE) instanceof ObjectNode recurrence) {
      carryOn(definition, recurrence, status);
    }
    List<String> leftOut = new ArrayList<>();
    findSecrets(definition.path("action"), "action", leftOut);
    return Optional.of(
        new ExportLine(
            Kind.COLLECTION,
            collection,
            Optional.of(answered.path("id").asText()),
            definition,
            leftOut));
  }

  /**
   * Whether the expression is an interval, which counts from the start of its job. Other
   * expressions match the same times in any job.
   */
  private static boolean isInterval(String cron) {
    return cron.contains("@every") || cron.contains("rate(");
  }

  /** Whether rules of iCalendar say their start. */
  private static boolean hasStart(JsonNode recurrence) {
    return recurrence.path("rrule").toString().toUpperCase(Locale.ROOT).contains("DTSTART");
  }

  private static void carryOn(ObjectNode definition, ObjectNode recurrence, JsonNode status) {
    if (recurrence.has(COUNT)) {
      int left = recurrence.path(COUNT).asInt() - status.path("executionCount").asInt();
      recurrence.put(COUNT, Math.max(1, left));
    }
    boolean beginsAnew =
        recurrence.has(CRON) ? isInterval(recurrence.path(CRON).asText()) : !hasStart(recurrence);
    if (beginsAnew && !definition.has(START) && status.hasNonNull("nextExecutionTime")) {
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
