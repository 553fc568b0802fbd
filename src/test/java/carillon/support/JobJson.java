package carillon.support;

import io.vertx.core.json.JsonObject;
import java.time.Instant;

/**
 * Builder of a job in native JSON, property by property. By default the job makes one HTTP call,
 * immediately. Backquotes in property texts become quotes.
 */
public final class JobJson {
  private final JsonObject request = new JsonObject();
  private final JsonObject action = new JsonObject();
  private final JsonObject job = new JsonObject().put("action", action);

  private JobJson() {}

  /** Returns a job that sends GET to this address. */
  public static JobJson get(String uri) {
    return http("GET", uri);
  }

  /** Returns a job that sends POST to this address. */
  public static JobJson post(String uri) {
    return http("POST", uri);
  }

  /** Returns a job that calls this address. */
  public static JobJson http(String method, String uri) {
    JobJson json = new JobJson();
    json.request.put("uri", uri).put("method", method);
    json.action.put("type", "http").put("request", json.request);
    return json;
  }

  /** Returns a job whose action has this type and payload, such as a message for a queue. */
  public static JobJson of(String type, String payload, JsonObject content) {
    JobJson json = new JobJson();
    json.action.put("type", type).put(payload, content);
    return json;
  }

  /** Changes the type of the action to {@code https}. */
  public JobJson secure() {
    action.put("type", "https");
    return this;
  }

  public JobJson body(String body) {
    return request("body", body);
  }

  /** Sets another property of the request, a value or an object. */
  public JobJson request(String property, Object value) {
    request.put(property, value);
    return this;
  }

  public JobJson startTime(Instant instant) {
    return startTime(instant.toString());
  }

  /** Sets the text unchanged, even if it is no instant. */
  public JobJson startTime(String text) {
    return with("startTime", text);
  }

  public JobJson noRetry() {
    return retryPolicy("{\"retryType\":\"none\"}");
  }

  /**
   * Sets a number of retries with a fixed interval.
   *
   * @param interval in ISO 8601 format
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

  /** Sets another property of the action. */
  public JobJson action(String property, Object value) {
    action.put(property, value);
    return this;
  }

  /** Uses the action of another job as the error action of this one. */
  public JobJson errorAction(JobJson other) {
    action.put("errorAction", other.action);
    return this;
  }

  /** Repeats each minute, day and so on. */
  public JobJson every(String frequency) {
    return recurrence("{\"frequency\":\"" + frequency + "\"}");
  }

  public JobJson recurrence(String json) {
    return with("recurrence", new JsonObject(json.replace('`', '"')));
  }

  /** Sets another property of the job, a value or an object. */
  public JobJson with(String property, Object value) {
    job.put(property, value);
    return this;
  }

  public String json() {
    return job.encode();
  }
}
