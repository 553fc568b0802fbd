package carillon.json;

import carillon.job.ActionCall;
import carillon.job.HistoryEntry;
import carillon.job.HttpCall;
import carillon.job.JobDefinition;
import carillon.job.JobException;
import carillon.job.JobKey;
import carillon.job.Pause;
import carillon.job.Secret;
import carillon.job.collection.CloudService;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.CollectionDefinition.WebhookSigning;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The canonical JSON that Redis holds: compact, the native words, defaults left out. What is read
 * was written here, and is not checked again.
 */
public final class StoredJson {
  private static final SubmissionLimits NONE =
      new SubmissionLimits(0, 0, 0, 0, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO);
  private static final JobDefinitionCodec JOBS = new JobDefinitionCodec(Dialect.STORED, NONE);
  private static final Function<JsonFields, CollectionDefinition> COLLECTIONS =
      new CollectionCodec(Dialect.STORED)::read;

  /** Before the URI of a job's action; that of its error action stands behind another name. */
  private static final String CALLERS = "\"action\":{\"request\":{\"uri\":\"";

  private StoredJson() {}

  /** The stored form of a job. */
  public static String write(JobDefinition definition) {
    return JsonOut.text(json -> JobDefinitionCodec.write(json, definition, Dialect.STORED));
  }

  /**
   * What stands in the stored form of each job whose action calls the scheme, host and port of this
   * call as they are written there, and of no other job. Empty for what is no HTTP call.
   */
  public static Optional<String> partOfCallers(ActionCall call) {
    return call instanceof HttpCall http
        ? Optional.of(CALLERS + origin(http.uri() + '"'))
        : Optional.empty();
  }

  /** Scheme, host and port, with the character that ends them: of a path, a query, the URI. */
  private static String origin(String quoted) {
    int end = quoted.indexOf("://") + "://".length();
    while ("/?#\"".indexOf(quoted.charAt(end)) < 0) {
      end++;
    }
    return quoted.substring(0, end + 1);
  }

  /**
   * Reads the stored form of a job.
   *
   * @param job whose it is
   */
  public static JobDefinition readJob(JobKey job, String json) {
    return read(json, fields -> JOBS.read(job, fields));
  }

  /** What clients may change, as a document to be patched; secrets not given are kept. */
  static Map<String, Object> tree(JobDefinition definition) {
    JobDefinition shown =
        definition
            .withTrace(Optional.empty())
            .mapSecrets((field, secret) -> Secret.KEPT)
            .mapCalls((place, call) -> call instanceof HttpCall http ? http.masked() : call);
    return document(write(shown));
  }

  /**
   * The stored form of a job, a collection or a resource as a document in the native words, with
   * what the form leaves out or shortens.
   */
  public static Map<String, Object> document(String json) {
    Map<String, Object> document = StrictJsonParser.parseStored(json);
    ScheduleCodec.tellStart(document);
    object(document, "action").ifPresent(ActionCodec::addDefaults);
    return document;
  }

  @SuppressWarnings("unchecked") // StrictJsonParser makes no other maps
  static Optional<Map<String, Object>> object(Map<String, Object> document, String name) {
    return document.get(name) instanceof Map<?, ?> object
        ? Optional.of((Map<String, Object>) object)
        : Optional.empty();
  }

  /** The stored form of a collection. */
  public static String write(CollectionDefinition definition) {
    return JsonOut.text(json -> CollectionCodec.writeFlat(json, definition));
  }

  /** The stored form of a pause. */
  public static String write(Pause pause) {
    return JsonOut.text(json -> PauseCodec.write(json, pause));
  }

  /** Reads the stored form of a pause. */
  public static Pause readPause(String json) {
    return read(json, PauseCodec::read);
  }

  /** The stored form of a cloud service. */
  public static String write(CloudService service) {
    return JsonOut.text(json -> writeFields(json, service));
  }

  private static void writeFields(JsonGenerator json, CloudService service) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", service.name());
    json.writeStringField("label", service.label());
    json.writeStringField("description", service.description());
    if (service.geoRegion().isPresent()) {
      json.writeStringField("location", service.geoRegion().get());
    }
    json.writeStringField("revision", Long.toString(service.revision()));
    json.writeEndObject();
  }

  /** Reads the stored form of a cloud service, which does not hold its subscription. */
  public static CloudService readCloudService(String subscription, String json) {
    return read(json, fields -> cloudService(subscription, fields));
  }

  private static CloudService cloudService(String subscription, JsonFields fields) {
    return new CloudService(
        subscription,
        fields.requiredText("name"),
        fields.requiredText("label"),
        fields.requiredText("description"),
        fields.text("location"),
        Long.parseLong(fields.requiredText("revision")));
  }

  /** Reads the stored form of a collection. */
  public static CollectionDefinition readCollection(String json) {
    return read(json, COLLECTIONS);
  }

  /** The stored form as a document to be patched, without secrets: those not given are kept. */
  static Map<String, Object> tree(CollectionDefinition definition) {
    return StrictJsonParser.parseStored(
        write(
            definition
                .signing()
                .map(signing -> definition.with(WebhookSigning.KEPT))
                .orElse(definition)));
  }

  /**
   * The stored form of a history entry. It begins with the brace, the name "end" and an instant in
   * milliseconds: scripts cut that text out and compare it, so that its place and width are fixed.
   */
  public static String write(HistoryEntry entry) {
    return JsonOut.text(json -> HistoryCodec.writeStored(json, entry));
  }

  /** Reads the stored form of a history entry. */
  public static HistoryEntry readHistory(String json) {
    return read(json, HistoryCodec::readStored);
  }

  /** Reads the stored form of a history entry; empty when it cannot be read. */
  public static Optional<HistoryEntry> findHistory(String json) {
    try {
      return Optional.of(readHistory(json));
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  /**
   * How an attempt went, from three texts of the stored form of its history entry; empty when they
   * cannot be read.
   */
  public static Optional<HistoryEntry.Summary> findSummary(
      String start, String end, String status) {
    try {
      return Optional.of(
          new HistoryEntry.Summary(
              Timestamps.parse(start),
              Timestamps.parse(end),
              HistoryEntry.Status.valueOf(status.toUpperCase(Locale.ROOT))));
    } catch (DateTimeException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** What cannot be read is our own fault or an operator's, never the client's. */
  private static <T> T read(String json, Function<JsonFields, T> reader) {
    try {
      return reader.apply(JsonFields.root(StrictJsonParser.parseStored(json)));
    } catch (JobException e) {
      throw new IllegalStateException("unreadable stored form: " + e.getMessage(), e);
    }
  }

  /**
   * Applies a JSON Merge Patch (RFC 7386): null removes, objects merge, everything else replaces.
   * Changes neither argument. Null for what is not there stays, which counts as absent, so that a
   * name that is not known is seen; not so among names of the client's own.
   */
  public static Map<String, Object> merged(Map<String, Object> target, Map<String, Object> patch) {
    return merged(target, patch, false);
  }

  @SuppressWarnings("unchecked") // StrictJsonParser makes no other maps
  private static Map<String, Object> merged(
      Map<String, Object> target, Map<String, Object> patch, boolean isFree) {
    Map<String, Object> result = new LinkedHashMap<>(target);
    patch.forEach(
        (name, change) -> {
          if (change == null && (isFree || target.containsKey(name))) {
            result.remove(name);
          } else if (change instanceof Map) {
            Object old = result.get(name);
            result.put(
                name,
                merged(
                    old instanceof Map ? (Map<String, Object>) old : Map.of(),
                    (Map<String, Object>) change,
                    isFree || PropertyNames.isFree(name)));
          } else {
            result.put(name, change);
          }
        });
    return result;
  }
}
