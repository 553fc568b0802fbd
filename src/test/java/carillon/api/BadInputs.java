package carillon.api;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;

/** Inputs of {@code api/bad-inputs.json}, each a separate test in one dialect. */
final class BadInputs {
  static final String ARM_COLLECTIONS =
      "/subscriptions/s1/resourceGroups/g1/providers/Microsoft.Scheduler/jobCollections";
  private static final String VERSION = "api-version=2016-03-01";
  private static final ObjectMapper JSON = new ObjectMapper();

  private BadInputs() {}

  /** Input of the file. */
  record Case(JsonNode node) {
    String id() {
      return node.path("id").asText();
    }

    String group() {
      return node.path("group").asText();
    }

    boolean has(String field) {
      return node.has(field);
    }

    JsonNode get(String field) {
      return node.path(field);
    }

    /** Statuses of which any is right; empty where no answer is expected. */
    List<Integer> expected() {
      return StreamSupport.stream(node.path("expect").spliterator(), false)
          .filter(JsonNode::isInt)
          .map(JsonNode::asInt)
          .toList();
    }

    Map<String, String> headers() {
      return JSON.convertValue(node.path("headers"), new TypeReference<>() {});
    }
  }

  /** Values of the file's placeholders in one dialect. */
  record Spelling(String name, String collections, boolean isEnveloped) {
    static final Spelling ARM = new Spelling("ARM", ARM_COLLECTIONS, true);
    static final Spelling NATIVE = new Spelling("native", "/jobcollections", false);

    /** Returns the path and the query; ARM requires a version. */
    String path(Case input) {
      String path = fill(input.get("path").asText());
      if (!isEnveloped) {
        return path;
      }
      return path + (path.contains("?") ? "&" : "?") + VERSION;
    }

    /** Returns the document. Removes the envelope if the dialect has none and the text has one. */
    String body(Case input) {
      String text = fill(input.get("body").asText());
      return isEnveloped ? text : opened(text).orElse(text);
    }

    String fill(String text) {
      return text.replace("{api}", "http://127.0.0.1:9")
          .replace("{target}", "http://127.0.0.1:9")
          .replace("{collection}", collections + "/c1")
          .replace("{otherCollection}", collections + "/other")
          .replace("{token}", "t");
    }

    /**
     * Removes the envelope as text, so that defects of the document remain: duplicate names, an
     * early end, trailing text.
     */
    private static Optional<String> opened(String text) {
      int inner = text.indexOf("\"properties\":");
      if (inner < 0) {
        return Optional.empty();
      }
      String before = text.substring(0, inner);
      String rest = text.substring(inner + "\"properties\":".length()).stripLeading();
      String whole = before + rest.substring(1);
      int end = whole.lastIndexOf("}}");
      return Optional.of(end < 0 ? whole : whole.substring(0, end) + whole.substring(end + 1));
    }
  }

  static List<Case> load() {
    try (InputStream file = BadInputs.class.getResourceAsStream("/api/bad-inputs.json")) {
      return StreamSupport.stream(JSON.readTree(file).path("cases").spliterator(), false)
          .map(Case::new)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
