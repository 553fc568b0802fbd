package carillon.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** JSON documents that commands read and print. */
public final class Json {
  /** Numbers keep their digits. */
  public static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private Json() {}

  /** Reads a document of a node. */
  static JsonNode read(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw CommandException.refused("the answer is not JSON: is this a Carillon?");
    }
  }

  /**
   * The document that pauses jobs or a flow.
   *
   * @param note null for none
   * @param until null where it does not end by itself
   */
  public static ObjectNode pause(String note, String until) {
    ObjectNode pause = MAPPER.createObjectNode();
    if (note != null) {
      pause.put("note", note);
    }
    if (until != null) {
      pause.put("until", until);
    }
    return pause;
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
