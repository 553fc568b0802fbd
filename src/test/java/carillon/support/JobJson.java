package carillon.support;

import io.vertx.core.json.JsonObject;
import java.time.Instant;

/**
 * A job's document in native JSON, property by property: an HTTP call, once and now, unless told.
 * Backquotes in the texts of properties stand for quotes.
 */
public final class JobJson {
  private final JsonObject request = new JsonObject();
  private final JsonObject action = new JsonObject();
  private final JsonObject job = new JsonObject().put("action", action);

  private JobJson() {}

  /** A job that sends GET to this address. */
  public static JobJson get(String uri) {
    return http("GET", uri);
  }

  /** A job that sends POST to this address. */
  public static JobJson post(String uri) {
    return http("POST", uri);
  }

  /** A job that calls this address. */
  public static JobJson http(String method, String uri) {
    JobJson json = new JobJson();
    json.request.put("uri", uri).put("method", method);
    json.action.put("type", "http").put("request", json.request);
    return json;
  }

  /** A job whose action has this type and payload, such as a message for a queue. */
  public static JobJson of(String type, String payload, JsonObject content) {
    JobJson json = new JobJson();
    json.action.put("type", type).put(payload, content);
    return json;
  }

  /** The same call as action of type {@code https}. */
  public JobJson secure() {
    action.put("type", "https");
    return this;
  }

  public JobJson body(String body) {
    return request("body", body);
  }

  /** Another property of the request, a value or an object. */
  public JobJson request(String property, Object value) {
    request.put(property, value);
    return this;
  }

  public JobJson startTime(Instant instant) {
    return startTime(instant.toString());
  }

  /** The text as it is, also one that is no instant. */
  public JobJson startTime(String text) {
    return with("startTime", text);
  }

  public JobJson noRetry() {
    return retryPolicy("{\"retryType\":\"none\"}");
  }

  /**
   * Retried so often, always after the same time.
   *
   * @param interval as ISO 8601 has it
   */
  public JobJson fixedRetry(String interval, int count) {
    return retryPolicy(
        new JsonObject()
            .put("retryType", "fixed")
            .put("retryInterval", interval)
            .put("retryCount", count)
            .encode());
  }

  public JobJson retryPolicy(String json) {
    action.put("retryPolicy", new JsonObject(json.replace('`', '"')));
    return this;
  }

  /** Another property of the action. */
  public JobJson action(String property, Object value) {
    action.put(property, value);
    return this;
  }

  /** What the other job does follows when this one's attempts have failed. */
  public JobJson errorAction(JobJson other) {
    action.put("errorAction", other.action);
    return this;
  }

  /** Each minute, day and so on. */
  public JobJson every(String frequency) {
    return recurrence("{\"frequency\":\"" + frequency + "\"}");
  }

  public JobJson recurrence(String json) {
    return with("recurrence", new JsonObject(json.replace('`', '"')));
  }

  /** Another property of the job, a value or an object. */
  public JobJson with(String property, Object value) {
    job.put(property, value);
    return this;
  }

  /** The document. */
  public String json() {
    return job.encode();
  }
}
