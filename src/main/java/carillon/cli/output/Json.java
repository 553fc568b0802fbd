package carillon.cli.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** JSON documents that commands read and print. */
public final class Json {
  /** Mapper of JSON; numbers keep their digits. */
  public static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private static final ObjectMapper YAML =
      YAMLMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private Json() {}

  /** Whether a document begins as an object in JSON does. */
  public static boolean isObject(byte[] document) {
    return new String(document, StandardCharsets.UTF_8).stripLeading().startsWith("{");
  }

  /** Returns the JSON of an object in YAML; other text is returned unchanged. */
  public static byte[] ofYaml(byte[] document) {
    try {
      return YAML.readTree(document) instanceof ObjectNode object
          ? MAPPER.writeValueAsBytes(object)
          : document;
    } catch (IOException e) {
      return document; // the node says what is wrong, and where
    }
  }

  /** Reads a document of a node. */
  public static JsonNode read(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw CommandException.refused("the answer is not JSON: is this a Carillon?");
    }
  }

  /**
   * Returns the document that pauses jobs or a flow.
   *
   * @param note null for none
   * @param until null if it does not end automatically
   */
  public static ObjectNode pause(String note, String until) {
    return pause(note, null, until);
  }

  /** The same of a pause that may begin later; each may be null. */
  public static ObjectNode pause(String note, String from, String until) {
    ObjectNode pause = MAPPER.createObjectNode();
    putText(pause, "note", note);
    putText(pause, "from", from);
    putText(pause, "until", until);
    return pause;
  }

  private static void putText(ObjectNode object, String name, String text) {
    if (text != null) {
      object.put(name, text);
    }
  }

  /** The words of an array, with commas between. */
  public static String joined(JsonNode array, String comma) {
    return StreamSupport.stream(array.spliterator(), false)
        .map(JsonNode::asText)
        .collect(Collectors.joining(comma));
  }

  public static String compact(JsonNode document) {
    try {
      return MAPPER.writeValueAsString(document);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static String pretty(JsonNode document) {
    return document.toPrettyString();
  }
}
