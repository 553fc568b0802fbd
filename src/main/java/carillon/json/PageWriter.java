package carillon.json;

import carillon.job.StoredJob.DamagedJob;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Writes one page of a list: the items and the link to the next page. */
final class PageWriter {
  private PageWriter() {}

  /** Writes one item. */
  interface ItemWriter<T> {
    void write(JsonGenerator json, T item) throws IOException;
  }

  /** {@code {"value":[...],"nextLink":...}}; the service wrote an explicit null at the end. */
  static <T> void write(
      JsonGenerator json, List<T> items, ItemWriter<T> writer, Optional<String> nextLink)
      throws IOException {
    write(json, items, writer, nextLink, List.of());
  }

  /** The same, and after it which jobs are left out because they are damaged. */
  static <T> void write(
      JsonGenerator json,
      List<T> items,
      ItemWriter<T> writer,
      Optional<String> nextLink,
      List<DamagedJob> damaged)
      throws IOException {
    json.writeStartObject();
    json.writeFieldName("value");
    writeItems(json, items, writer);
    json.writeStringField("nextLink", nextLink.orElse(null));
    writeDamaged(json, damaged);
    json.writeEndObject();
  }

  /** Which jobs are left out, and why; nothing where none are. */
  static void writeDamaged(JsonGenerator json, List<DamagedJob> damaged) throws IOException {
    if (damaged.isEmpty()) {
      return;
    }
    json.writeArrayFieldStart("damaged");
    for (DamagedJob job : damaged) {
      json.writeStartObject();
      json.writeStringField("name", job.name().job());
      json.writeStringField("reason", job.reason());
      json.writeEndObject();
    }
    json.writeEndArray();
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
