package carillon.json.view;

import carillon.access.AuditEntry;
import carillon.job.action.QuerySecrets;
import carillon.job.action.SensitiveNames;
import carillon.json.StoredJson;
import carillon.json.text.JsonOut;
import carillon.json.text.Timestamps;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writer of entries of the audit log. */
public final class AuditWriter {
  private static final String HIDDEN = "(hidden)";

  private AuditWriter() {}

  /** Writes a page of entries. */
  public static byte[] page(List<AuditEntry> entries, Optional<String> nextLink) {
    return JsonOut.of(json -> JsonOut.writePage(json, entries, AuditWriter::write, nextLink));
  }

  private static void write(JsonGenerator json, AuditEntry entry) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", entry.id());
    json.writeStringField("time", Timestamps.format(entry.at()));
    for (Map.Entry<String, String> fact : entry.facts().entrySet()) {
      json.writeFieldName(fact.getKey());
      switch (fact.getKey()) {
        case "before", "after" -> writeDefinition(json, fact.getValue());
        case "others" -> writeNames(json, fact.getValue());
        case "beforeBytes", "afterBytes" -> json.writeNumber(fact.getValue());
        default -> json.writeString(fact.getValue());
      }
    }
    json.writeEndObject();
  }

  private static void writeNames(JsonGenerator json, String names) throws IOException {
    json.writeStartArray();
    for (String name : names.split(" ", -1)) {
      json.writeString(name);
    }
    json.writeEndArray();
  }

  /** Writes the definition, or its text if it is not JSON of Carillon. */
  private static void writeDefinition(JsonGenerator json, String definition) throws IOException {
    Object tree;
    try {
      tree = StoredJson.document(definition);
    } catch (RuntimeException e) {
      tree = definition;
    }
    writeValue(json, tree, false);
  }

  private static void writeValue(JsonGenerator json, Object value, boolean isHeaders)
      throws IOException {
    if (value instanceof Map<?, ?> members) {
      json.writeStartObject();
      for (Map.Entry<?, ?> member : members.entrySet()) {
        String name = (String) member.getKey();
        json.writeFieldName(name);
        boolean isSecret = isHeaders && SensitiveNames.isHeader(name);
        Object shown = member.getValue();
        if (name.equals("uri") && shown instanceof String uri) {
          shown = QuerySecrets.masked(uri);
        }
        writeValue(json, isSecret ? HIDDEN : shown, name.equals("headers"));
      }
      json.writeEndObject();
    } else if (value instanceof List<?> items) {
      json.writeStartArray();
      for (Object item : items) {
        writeValue(json, item, false);
      }
      json.writeEndArray();
    } else if (value instanceof Long number) {
      json.writeNumber(number);
    } else if (value instanceof Boolean truth) {
      json.writeBoolean(truth);
    } else if (value == null) {
      json.writeNull();
    } else {
      json.writeString(value.toString());
    }
  }
}
