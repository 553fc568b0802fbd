package carillon.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Writes the envelope of a list. */
final class Pages {
  private Pages() {}

  /** Writes one item. */
  interface ItemWriter<T> {
    void write(JsonGenerator json, T item) throws IOException;
  }

  /** {@code {"value":[...],"nextLink":...}}; the service wrote an explicit null at the end. */
  static <T> void write(
      JsonGenerator json, List<T> items, ItemWriter<T> writer, Optional<String> nextLink)
      throws IOException {
    json.writeStartObject();
    json.writeFieldName("value");
    writeItems(json, items, writer);
    json.writeStringField("nextLink", nextLink.orElse(null));
    json.writeEndObject();
  }

  /** The items as an array. */
  static <T> void writeItems(JsonGenerator json, List<T> items, ItemWriter<T> writer)
      throws IOException {
    json.writeStartArray();
    for (T item : items) {
      writer.write(json, item);
    }
    json.writeEndArray();
  }
}
