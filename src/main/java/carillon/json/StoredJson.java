package carillon.json;

import carillon.job.JobDefinition;
import carillon.job.Pause;
import carillon.job.action.ActionCall;
import carillon.job.action.HttpCall;
import carillon.job.action.Secret;
import carillon.job.attempt.HistoryEntry;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.CollectionDefinition.WebhookSigning;
import carillon.job.name.JobException;
import carillon.job.name.JobKey;
import carillon.json.action.ActionCodec;
import carillon.json.schedule.ScheduleCodec;
import carillon.json.text.Dialect;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.json.text.PropertyNames;
import carillon.json.text.StrictJsonParser;
import carillon.json.text.SubmissionLimits;
import carillon.json.text.Timestamps;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The canonical JSON in Redis: compact, with the native words, without defaults. Stored documents
 * were written here, and are not checked again.
 */
public final class StoredJson {
  private static final SubmissionLimits NONE =
      new SubmissionLimits(0, 0, 0, 0, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO);
  private static final JobDefinitionCodec JOBS = new JobDefinitionCodec(Dialect.STORED, NONE);
  private static final Function<JsonFields, CollectionDefinition> COLLECTIONS =
      new CollectionCodec(Dialect.STORED)::read;

  private StoredJson() {}

  /** Writes the stored form of a job. */
  public static String write(JobDefinition definition) {
    return JsonOut.text(json -> JobDefinitionCodec.write(json, definition, Dialect.STORED));
  }

  /**
   * Returns scheme, host and port as the URI of a call spells them. The script fragment {@code
   * definition.lua} finds the same text in the stored form of each job with this call. Empty for a
   * call other than HTTP.
   */
  public static Optional<String> origin(ActionCall call) {
    return call instanceof HttpCall http ? Optional.of(origin(http.uri())) : Optional.empty();
  }

  private static String origin(String uri) {
    int end = uri.indexOf("://") + "://".length();
    while (end < uri.length() && "/?#".indexOf(uri.charAt(end)) < 0) {
      end++;
    }
    return uri.substring(0, end);
  }

  /**
   * Reads the stored form of a job.
   *
   * @param job whose stored form this is
   */
  public static JobDefinition readJob(JobKey job, String json) {
    return read(json, fields -> JOBS.read(job, fields));
  }

  /**
   * Returns the properties that clients may change, as a document to patch. Omitted secrets are
   * kept.
   */
  static Map<String, Object> tree(JobDefinition definition) {
    JobDefinition shown =
        definition
            .withTrace(Optional.empty())
            .mapSecrets((field, secret) -> Secret.KEPT)
            .mapCalls((place, call) -> call instanceof HttpCall http ? http.masked() : call);
    return document(write(shown));
  }

  /**
   * Returns the stored form of a job, a collection or a resource as a document in the native words.
   * Restores parts that the form omits or shortens.
   */
  public static Map<String, Object> document(String json) {
    Map<String, Object> document = StrictJsonParser.parseStored(json);
    ScheduleCodec.tellStart(document);
    StrictJsonParser.objectIn(document, "action").ifPresent(ActionCodec::addDefaults);
    return document;
  }

  /** Writes the stored form of a collection. */
  public static String write(CollectionDefinition definition) {
    return JsonOut.text(json -> CollectionCodec.writeFlat(json, definition));
  }

  /** Writes the stored form of a pause. */
  public static String write(Pause pause) {
    return JsonOut.text(json -> PauseCodec.write(json, pause));
  }

  /** Reads the stored form of a pause. */
  public static Pause readPause(String json) {
    return read(json, PauseCodec::read);
  }

  /** Reads the stored form of a collection. */
  public static CollectionDefinition readCollection(String json) {
    return read(json, COLLECTIONS);
  }

  /** Returns the stored form as a document to patch, without secrets: omitted secrets are kept. */
  static Map<String, Object> tree(CollectionDefinition definition) {
    return StrictJsonParser.parseStored(
        write(
            definition
                .signing()
                .map(signing -> definition.with(WebhookSigning.KEPT))
                .orElse(definition)));
  }

  /**
   * Writes the stored form of a history entry. It begins with the brace, the name "end" and an
   * instant in milliseconds. Scripts extract and compare that text, so its position and width are
   * fixed.
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
   * Returns the result of an attempt, from three texts of the stored form of its history entry;
   * empty when they cannot be read.
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

  /**
   * Reads a stored form with this reader. An unreadable one is a fault of Carillon or of an
   * operator, never of the client.
   */
  public static <T> T read(String json, Function<JsonFields, T> reader) {
    try {
      return reader.apply(JsonFields.root(StrictJsonParser.parseStored(json)));
    } catch (JobException e) {
      throw new IllegalStateException("unreadable stored form: " + e.getMessage(), e);
    }
  }

  /**
   * Applies a JSON Merge Patch (RFC 7386): null removes, objects merge, everything else replaces.
   * Changes neither argument. Null for an absent property is kept and counts as absent, so that an
   * unknown name is noticed. Among names chosen by the client it is dropped.
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
