package carillon.json;

import carillon.job.CollectionDefinition;
import carillon.job.CollectionDefinition.MaxRecurrence;
import carillon.job.CollectionDefinition.Quota;
import carillon.job.JobCollection;
import carillon.job.Secret;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Writes job collections as one dialect answers them, in the service's order of properties. */
public final class CollectionWriter {
  private final Dialect dialect;

  public CollectionWriter(Dialect dialect) {
    this.dialect = dialect;
  }

  /** One collection. */
  public byte[] collection(JobCollection collection) {
    return JsonOut.of(json -> write(json, collection));
  }

  /** A page of collections. */
  public byte[] page(List<JobCollection> collections, Optional<String> nextLink) {
    return JsonOut.of(json -> PageJson.write(json, collections, this::write, nextLink));
  }

  private void write(JsonGenerator json, JobCollection collection) throws IOException {
    json.writeStartObject();
    if (dialect.isEnveloped()) {
      writeEnveloped(json, collection);
    } else {
      json.writeStringField("name", collection.name().collection());
      writeFlatFields(json, collection.definition());
      writeSigning(json, collection.definition(), false);
    }
    json.writeEndObject();
  }

  private static void writeEnveloped(JsonGenerator json, JobCollection collection)
      throws IOException {
    CollectionDefinition definition = collection.definition();
    json.writeStringField("id", ResourceId.of(collection.name()));
    json.writeStringField("type", ResourceId.COLLECTION_TYPE);
    json.writeStringField("name", collection.name().collection());
    writeText(json, "location", definition.location().map(AzureRegions::display));
    writeTags(json, definition);
    json.writeObjectFieldStart("properties");
    writeSku(json, definition);
    json.writeStringField("state", definition.state().word());
    writeQuota(json, definition, false);
    writeSigning(json, definition, false);
    json.writeEndObject();
  }

  /** The settings as one flat object, without secrets. */
  public static String open(CollectionDefinition definition) {
    return JsonOut.text(
        json -> {
          json.writeStartObject();
          writeFlatFields(json, definition);
          writeSigning(json, definition, false);
          json.writeEndObject();
        });
  }

  /** Writes the settings as one flat object, with nothing left out. */
  static void writeFlat(JsonGenerator json, CollectionDefinition definition) throws IOException {
    json.writeStartObject();
    writeFlatFields(json, definition);
    writeSigning(json, definition, true);
    json.writeEndObject();
  }

  private static void writeFlatFields(JsonGenerator json, CollectionDefinition definition)
      throws IOException {
    writeText(json, "location", definition.location());
    writeTags(json, definition);
    json.writeStringField("state", RecurrenceWriter.word(definition.state()));
    writeSku(json, definition);
    writeQuota(json, definition, true);
    writeText(json, "label", definition.label());
  }

  private static void writeText(JsonGenerator json, String name, Optional<String> text)
      throws IOException {
    if (text.isPresent()) {
      json.writeStringField(name, text.get());
    }
  }

  private static void writeTags(JsonGenerator json, CollectionDefinition definition)
      throws IOException {
    if (!definition.tags().isEmpty()) {
      DefinitionWriter.writeTexts(json, "tags", definition.tags());
    }
  }

  private static void writeSku(JsonGenerator json, CollectionDefinition definition)
      throws IOException {
    if (definition.sku().isPresent()) {
      json.writeObjectFieldStart("sku");
      json.writeStringField("name", definition.sku().get());
      json.writeEndObject();
    }
  }

  /** The service never answered maxJobOccurrence, though it took it. */
  private static void writeQuota(
      JsonGenerator json, CollectionDefinition definition, boolean withOccurrence)
      throws IOException {
    if (definition.quota().isEmpty()) {
      return;
    }
    Quota quota = definition.quota().get();
    json.writeObjectFieldStart("quota");
    writeNumber(json, "maxJobCount", quota.maxJobCount());
    if (withOccurrence) {
      writeNumber(json, "maxJobOccurrence", quota.maxJobOccurrence());
    }
    if (quota.maxRecurrence().isPresent()) {
      writeMaxRecurrence(json, quota.maxRecurrence().get());
    }
    json.writeEndObject();
  }

  /** Answers tell how many secrets there are, and nothing of them. */
  private static void writeSigning(
      JsonGenerator json, CollectionDefinition definition, boolean withSecrets) throws IOException {
    if (definition.signing().isEmpty()) {
      return;
    }
    List<Secret> secrets = definition.signing().get().secrets();
    json.writeObjectFieldStart("signing");
    if (!withSecrets) {
      json.writeNumberField("secretCount", secrets.size());
    } else if (!definition.keepsSecrets()) {
      json.writeArrayFieldStart("secrets");
      for (Secret secret : secrets) {
        json.writeString(secret.text());
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private static void writeNumber(JsonGenerator json, String name, OptionalInt number)
      throws IOException {
    if (number.isPresent()) {
      json.writeNumberField(name, number.getAsInt());
    }
  }

  private static void writeMaxRecurrence(JsonGenerator json, MaxRecurrence recurrence)
      throws IOException {
    json.writeObjectFieldStart("maxRecurrence");
    json.writeStringField("frequency", RecurrenceWriter.word(recurrence.frequency()));
    json.writeNumberField("interval", recurrence.interval());
    json.writeEndObject();
  }
}
