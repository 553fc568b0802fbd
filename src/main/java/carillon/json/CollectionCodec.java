package carillon.json;

import static carillon.json.text.Dialect.Switch.ENVELOPED;
import static carillon.json.text.Dialect.Switch.EXTENSIONS;
import static carillon.json.text.Dialect.Switch.STRICT;

import carillon.job.Pause.PauseOptions;
import carillon.job.collection.AzureRegions;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.CollectionDefinition.MaxRecurrence;
import carillon.job.collection.CollectionDefinition.Quota;
import carillon.job.collection.CollectionDefinition.State;
import carillon.job.collection.Hold.Holds;
import carillon.job.collection.JobCollection;
import carillon.job.collection.JobCollection.DamagedCollection;
import carillon.job.name.JobException;
import carillon.job.name.Quoted;
import carillon.json.action.SigningCodec;
import carillon.json.schedule.RecurrenceCodec;
import carillon.json.text.Dialect;
import carillon.json.text.Dialect.ResourceId;
import carillon.json.text.EnumNames;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.json.text.Refusals;
import carillon.json.text.StrictJsonParser;
import carillon.recurrence.Frequency;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Codec of job collections: reads submissions in one dialect, and writes its answers in the
 * service's order of properties.
 */
public final class CollectionCodec {
  private static final String MALFORMED = "Malformed Job Collection Object";
  private static final Set<String> KNOWN =
      Set.of(
          "name",
          "location",
          "tags",
          "state",
          "sku",
          "quota",
          "label",
          "signing",
          PauseCodec.NAME,
          PauseCodec.WAITS);
  private static final Set<String> KNOWN_OF_SKU = Set.of("name");
  private static final Set<String> KNOWN_OF_QUOTA =
      Set.of("maxJobCount", "maxJobOccurrence", "maxRecurrence");
  private static final Set<String> KNOWN_OF_RECURRENCE = Set.of("frequency", "interval");
  private static final EnumNames<State> STATES = EnumNames.of(State.class);
  private static final EnumNames<String> SKUS =
      EnumNames.of(
          Stream.of("Free", "Standard", "P10Premium", "P20Premium", "Premium"), sku -> sku);

  /** Maximum number of tags, as in Azure. It keeps the hash of a collection small. */
  private static final int MAX_TAGS = 50;

  private static final int MAX_NAME_LENGTH = 512;
  private static final int MAX_VALUE_LENGTH = 256;

  private final Dialect dialect;
  private final SigningCodec signings;

  /** A codec for one dialect. */
  public CollectionCodec(Dialect dialect) {
    this.dialect = dialect;
    this.signings = new SigningCodec(dialect);
  }

  /** Reads a whole collection of this name. A native document may be empty. */
  public CollectionDefinition read(byte[] json, String name) {
    if (json.length == 0 && dialect.has(EXTENSIONS)) {
      return read(JsonFields.root(Map.of()));
    }
    return readAll(StrictJsonParser.parse(json, MALFORMED), Optional.of(name));
  }

  /**
   * Reads a whole collection.
   *
   * @param name of the collection, if the document may contain it too
   */
  private CollectionDefinition readAll(Map<String, Object> document, Optional<String> name) {
    try {
      return read(JsonFields.root(document), name);
    } catch (JobException e) {
      throw dialect.has(STRICT)
          ? Refusals.all(e, all -> read(JsonFields.root(document, all), name))
          : e;
    }
  }

  private CollectionDefinition read(JsonFields fields, Optional<String> name) {
    if (dialect.has(EXTENSIONS)) {
      name.ifPresent(fields::checkName);
      PauseCodec.checkSubmitted(fields);
    }
    return read(fields);
  }

  /** Reads a change (RFC 7386) of a collection. Settings that it does not mention stay. */
  public CollectionDefinition patch(JobCollection current, byte[] json) {
    return patch(
        current.definition(),
        StrictJsonParser.parse(json, MALFORMED),
        Optional.of(current.name().collection()));
  }

  /**
   * Reads a change (RFC 7386) that is already parsed: maps, strings, {@code Long} and {@code
   * Boolean}.
   */
  public CollectionDefinition patch(CollectionDefinition current, Map<String, Object> change) {
    return patch(current, change, Optional.empty());
  }

  private CollectionDefinition patch(
      CollectionDefinition current, Map<String, Object> change, Optional<String> name) {
    Map<String, Object> whole = StoredJson.tree(current);
    Map<String, Object> target = dialect.has(ENVELOPED) ? enveloped(whole) : whole;
    return readAll(StoredJson.merged(target, change), name).keepingPause(current);
  }

  /** Reads the options of the pause in a request to disable. */
  public PauseOptions readPause(byte[] json, Instant now) {
    return dialect.has(EXTENSIONS)
        ? PauseCodec.readPlanned(json, now)
        : PauseCodec.read(json, dialect, now);
  }

  private static Map<String, Object> enveloped(Map<String, Object> flat) {
    Map<String, Object> outer = new LinkedHashMap<>(flat);
    outer.put("properties", flat);
    return outer;
  }

  CollectionDefinition read(JsonFields fields) {
    fields.allowOnly(KNOWN, dialect);
    JsonFields properties =
        dialect.has(ENVELOPED)
            ? fields.object("properties").map(JsonFields::asRoot).orElse(JsonFields.root(Map.of()))
            : fields;
    CollectionDefinition definition =
        new CollectionDefinition(
            text(fields, "location"),
            fields.object("tags", CollectionCodec::tags).orElse(Map.of()),
            sku(properties),
            properties.word("state", STATES).orElse(State.ENABLED),
            properties.object("quota", this::quota).flatMap(quota -> quota),
            text(fields, "label"),
            properties.object("signing", signings::read),
            dialect.isStored()
                ? properties.object(PauseCodec.NAME).map(PauseCodec::read)
                : Optional.empty());
    fields.throwCollected();
    return definition;
  }

  private static Optional<String> text(JsonFields fields, String name) {
    Optional<String> text = fields.text(name);
    if (text.filter(given -> given.length() > MAX_VALUE_LENGTH).isPresent()) {
      fields.report(
          fields.refusal(name, "must be at most " + MAX_VALUE_LENGTH + " characters long"));
    }
    return text;
  }

  private static Map<String, String> tags(JsonFields fields) {
    Map<String, String> tags = fields.texts();
    if (tags.size() > MAX_TAGS) {
      fields.report(
          JobException.invalid(
              "tags: " + tags.size() + " are more than the " + MAX_TAGS + " allowed"));
    }
    tags.forEach((name, value) -> checkTag(fields, name, value));
    return tags;
  }

  private static void checkTag(JsonFields fields, String name, String value) {
    if (name.isEmpty() || name.length() > MAX_NAME_LENGTH || value.length() > MAX_VALUE_LENGTH) {
      fields.report(
          JobException.invalid(
              "tags."
                  + Quoted.of(name)
                  + ": a tag's name must have 1 to "
                  + MAX_NAME_LENGTH
                  + " characters and its value at most "
                  + MAX_VALUE_LENGTH));
    }
  }

  /** Reads an object with a name, or the name alone. */
  private Optional<String> sku(JsonFields fields) {
    if (fields.isText("sku")) {
      fields.word("sku", SKUS);
      return fields.text("sku");
    }
    Optional<JsonFields> sku = fields.object("sku");
    sku.ifPresent(
        object -> {
          object.allowOnly(KNOWN_OF_SKU, dialect);
          object.requiredWord("name", SKUS, "");
        });
    return sku.flatMap(object -> object.text("name"));
  }

  private Optional<Quota> quota(JsonFields fields) {
    fields.allowOnly(KNOWN_OF_QUOTA, dialect);
    Quota quota =
        new Quota(
            fields.integer("maxJobCount", 1, Integer.MAX_VALUE),
            fields.integer("maxJobOccurrence", 1, Integer.MAX_VALUE),
            fields.object("maxRecurrence", this::maxRecurrence));
    return fields.isEmpty() ? Optional.empty() : Optional.of(quota);
  }

  private MaxRecurrence maxRecurrence(JsonFields fields) {
    fields.allowOnly(KNOWN_OF_RECURRENCE, dialect);
    Frequency frequency =
        fields.requiredWord("frequency", RecurrenceCodec.frequencies(dialect), Frequency.MINUTE);
    return new MaxRecurrence(
        frequency, fields.integer("interval", 1, frequency.maxInterval()).orElse(1));
  }

  /** Whether answers show the wider pause that holds a collection back, as those of jobs do. */
  public boolean answersWaits() {
    return dialect.has(EXTENSIONS);
  }

  /** Writes a collection and the wider pause that holds it back. */
  public byte[] collection(JobCollection collection, Holds waits) {
    return JsonOut.of(json -> write(json, collection, waits));
  }

  /**
   * A page of collections.
   *
   * @param damaged collections that are left out
   * @param waits the wider pauses that hold collections back
   */
  public byte[] page(
      List<JobCollection> collections,
      List<DamagedCollection> damaged,
      Optional<String> nextLink,
      Holds waits) {
    return JsonOut.of(
        json ->
            JsonOut.writePage(
                json,
                collections,
                (out, collection) -> write(out, collection, waits),
                nextLink,
                JsonOut.LeftOut.collections(damaged)));
  }

  private void write(JsonGenerator json, JobCollection collection, Holds waits) throws IOException {
    json.writeStartObject();
    if (dialect.has(ENVELOPED)) {
      writeEnveloped(json, collection);
    } else {
      json.writeStringField("name", collection.name().collection());
      writeFlatFields(json, collection.definition());
      SigningCodec.write(json, collection.definition(), false);
      PauseCodec.writeWaits(json, waits.of(collection.name()));
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
    json.writeStringField("state", EnumNames.capitalized(definition.state().word()));
    writePause(json, definition);
    writeQuota(json, definition, false);
    SigningCodec.write(json, definition, false);
    json.writeEndObject();
  }

  /** Writes the settings as one flat object, without secrets. */
  public static String withoutSecrets(CollectionDefinition definition) {
    return JsonOut.text(
        json -> {
          json.writeStartObject();
          writeFlatFields(json, definition);
          SigningCodec.write(json, definition, false);
          json.writeEndObject();
        });
  }

  /** Writes all settings as one flat object. */
  static void writeFlat(JsonGenerator json, CollectionDefinition definition) throws IOException {
    json.writeStartObject();
    writeFlatFields(json, definition);
    SigningCodec.write(json, definition, true);
    json.writeEndObject();
  }

  private static void writeFlatFields(JsonGenerator json, CollectionDefinition definition)
      throws IOException {
    writeText(json, "location", definition.location());
    writeTags(json, definition);
    json.writeStringField("state", definition.state().word());
    writePause(json, definition);
    writeSku(json, definition);
    writeQuota(json, definition, true);
    writeText(json, "label", definition.label());
  }

  private static void writePause(JsonGenerator json, CollectionDefinition definition)
      throws IOException {
    if (definition.pause().isPresent()) {
      json.writeFieldName(PauseCodec.NAME);
      PauseCodec.write(json, definition.pause().get());
    }
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
      JsonOut.writeTexts(json, "tags", definition.tags());
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

  /** Writes the quota. The service accepted maxJobOccurrence but never answered it. */
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

  private static void writeNumber(JsonGenerator json, String name, OptionalInt number)
      throws IOException {
    if (number.isPresent()) {
      json.writeNumberField(name, number.getAsInt());
    }
  }

  private static void writeMaxRecurrence(JsonGenerator json, MaxRecurrence recurrence)
      throws IOException {
    json.writeObjectFieldStart("maxRecurrence");
    json.writeStringField("frequency", recurrence.frequency().word());
    json.writeNumberField("interval", recurrence.interval());
    json.writeEndObject();
  }
}
