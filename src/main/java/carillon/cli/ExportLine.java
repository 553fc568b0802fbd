package carillon.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * A line of an export: a collection, or a job of one that a line before has told of.
 *
 * <pre>
 * {"collection":"orders","definition":{"state":"enabled"}}
 * {"collection":"orders","job":"nightly","definition":{...},"secretsLeftOut":["action.request.authentication.password"]}
 * </pre>
 *
 * @param job empty in the line of a collection
 * @param definition what the API takes
 * @param leftOut places in the definition where secrets belong, which no answer holds
 */
record ExportLine(
    String collection, Optional<String> job, ObjectNode definition, List<String> leftOut) {
  private static final String COLLECTION = "collection";
  private static final String JOB = "job";
  private static final String DEFINITION = "definition";

  /** Reads a line; what is wrong with it is the message of the failure. */
  static ExportLine parse(String text) {
    try {
      JsonNode line = Json.MAPPER.readTree(text);
      if (!line.isObject()) {
        throw CommandException.refused("the line is not a JSON object");
      }
      if (!line.path(COLLECTION).isTextual()) {
        throw CommandException.refused("collection: a name is missing");
      }
      if (!(line.get(DEFINITION) instanceof ObjectNode definition)) {
        throw CommandException.refused("definition: an object is missing");
      }
      if (line.has(JOB) && !line.get(JOB).isTextual()) {
        throw CommandException.refused("job: must be a name");
      }
      return new ExportLine(
          line.get(COLLECTION).asText(),
          Optional.ofNullable(line.path(JOB).textValue()),
          definition,
          List.of());
    } catch (IOException e) {
      throw CommandException.refused("the line is not JSON");
    }
  }

  String text() {
    ObjectNode line = Json.MAPPER.createObjectNode().put(COLLECTION, collection);
    job.ifPresent(name -> line.put(JOB, name));
    line.set(DEFINITION, definition);
    if (!leftOut.isEmpty()) {
      leftOut.forEach(line.withArray("/secretsLeftOut")::add);
    }
    return Json.compact(line);
  }

  /** Where it belongs. */
  String path() {
    return job.map(name -> new JobAddress(collection, name).path())
        .orElseGet(() -> JobAddress.pathOf(collection));
  }

  /** For people. */
  String name() {
    return job.map(name -> collection + "/" + name).orElse("collection " + collection);
  }
}
