package carillon.json;

import carillon.job.name.JobException;
import carillon.json.text.DurationFormats;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.json.text.Timestamps;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Expansion of short forms in a native document: {@code in} instead of {@code startTime}, a missing
 * type of an action or method of a request, a JSON value as body. Changes the given document. The
 * codecs refuse values of the wrong type.
 */
public final class JobShorthand {
  static final String IN = "in";

  private static final String START = "startTime";
  private static final String REQUEST = "request";
  private static final String TYPE = "type";
  private static final String METHOD = "method";
  private static final String HEADERS = "headers";
  private static final String BODY = "body";
  private static final String CONTENT_TYPE = "Content-Type";

  private JobShorthand() {}

  /**
   * Expands a job. Refuses {@code in} together with {@code startTime}.
   *
   * @param fields of the same job
   * @param horizon how far ahead a start may be
   */
  static void expand(JsonFields fields, Map<String, Object> job, Instant now, Duration horizon) {
    try {
      expandStart(job, now, horizon);
    } catch (JobException e) {
      fields.report(e);
    }
    expandActions(job);
  }

  /** Expands the actions of a job. */
  public static void expandActions(Map<String, Object> job) {
    Map<String, Object> action = object(job, "action");
    expandAction(action);
    expandAction(object(action, "errorAction"));
  }

  private static void expandStart(Map<String, Object> job, Instant now, Duration horizon) {
    Object given = job.remove(IN);
    if (given == null) {
      return;
    }
    if (job.get(START) != null) {
      throw JobException.invalid("in: does not go with startTime; leave one out");
    }
    Duration wait = duration(given);
    if (wait.compareTo(horizon) > 0) {
      throw JsonFields.refuse(IN, given, "must be at most " + horizon.toDays() + " days");
    }
    job.put(START, Timestamps.format(now.plus(wait)));
  }

  private static Duration duration(Object given) {
    Optional<Duration> wait =
        given instanceof String text ? DurationFormats.parse(text) : Optional.empty();
    return wait.orElseThrow(() -> JsonFields.refuse(IN, given, DurationFormats.RULE));
  }

  private static void expandAction(Map<String, Object> action) {
    Map<String, Object> request = object(action, REQUEST);
    if (request.isEmpty()) {
      return;
    }
    if (action.get(TYPE) == null && request.get("uri") instanceof String uri) {
      action.put(TYPE, isHttps(uri) ? "https" : "http");
    }
    if (request.get(METHOD) == null) {
      request.put(METHOD, request.get(BODY) == null ? "GET" : "POST");
    }
    expandBody(request);
  }

  private static boolean isHttps(String uri) {
    return uri.regionMatches(true, 0, "https:", 0, "https:".length());
  }

  private static void expandBody(Map<String, Object> request) {
    Object body = request.get(BODY);
    if (body == null || body instanceof String) {
      return;
    }
    request.put(BODY, JsonOut.text(json -> write(json, body)));
    if (request.get(HEADERS) == null) {
      request.put(HEADERS, new LinkedHashMap<>());
    }
    Map<String, Object> headers = object(request, HEADERS);
    if (headers.keySet().stream().noneMatch(CONTENT_TYPE::equalsIgnoreCase)
        && request.get(HEADERS) instanceof Map) {
      headers.put(CONTENT_TYPE, "application/json");
    }
  }

  /** Writes the value as it was given, without blanks. Numbers keep their digits. */
  private static void write(JsonGenerator json, Object value) throws IOException {
    if (value instanceof Map<?, ?> members) {
      json.writeStartObject();
      for (Map.Entry<?, ?> member : members.entrySet()) {
        json.writeFieldName((String) member.getKey());
        write(json, member.getValue());
      }
      json.writeEndObject();
    } else if (value instanceof List<?> elements) {
      json.writeStartArray();
      for (Object element : elements) {
        write(json, element);
      }
      json.writeEndArray();
    } else if (value instanceof String text) {
      json.writeString(text);
    } else {
      json.writeRawValue(String.valueOf(value)); // null, true, false and numbers
    }
  }

  /** Returns the object of this name, for changes. Returns an unused object if there is none. */
  @SuppressWarnings("unchecked") // StrictJsonParser makes no other maps
  private static Map<String, Object> object(Map<String, Object> document, String name) {
    return document.get(name) instanceof Map<?, ?> inner
        ? (Map<String, Object>) inner
        : new LinkedHashMap<>();
  }
}
