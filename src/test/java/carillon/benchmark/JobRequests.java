package carillon.benchmark;

import io.vertx.core.buffer.Buffer;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;

/**
 * The bytes of requests to the scheduler: small one-time jobs that call the target.
 *
 * @param authority of the scheduler, {@code host:port}
 * @param collection name of the jobs' collection
 * @param target called by the jobs
 */
record JobRequests(String authority, String collection, URI target) {
  private static final String RETRIED =
      ",\"retryPolicy\":{\"retryType\":\"fixed\",\"retryInterval\":\"PT1S\",\"retryCount\":1}";

  /** A job that is due at an instant; without one, at once. */
  Buffer putJob(String id, Optional<Instant> start) {
    return putJob(id, start, false, target);
  }

  Buffer getHistory(String id) {
    return request("GET", "/jobs/" + id + "/history", "");
  }

  /**
   * A job that calls somewhere else, and once more a second later when that fails.
   *
   * @param daily whether it is due again every day
   */
  Buffer putJob(String id, Optional<Instant> start, boolean daily, URI called) {
    String recurrence = daily ? "\"recurrence\":{\"frequency\":\"day\"}," : "";
    String policy = called.equals(target) ? "" : RETRIED;
    String startTime = start.map(instant -> "\"startTime\":\"" + instant + "\",").orElse("");
    String json =
        "{"
            + startTime
            + recurrence
            + "\"action\":{\"type\":\"http\",\"request\":{\"uri\":\""
            + called
            + "\",\"method\":\"POST\",\"headers\":{\"Content-Type\":\"application/json\"},\"body\":\"{\\\"n\\\":1}\"}"
            + policy
            + "}}";
    return request("PUT", "/jobs/" + id, json);
  }

  Buffer putCollection() {
    return request("PUT", "", "{}");
  }

  Buffer deleteCollection() {
    return request("DELETE", "", "");
  }

  /** Put together by hand: the load is to cost little. */
  private Buffer request(String method, String path, String json) {
    return Buffer.buffer(
        method
            + " /jobcollections/"
            + collection
            + path
            + " HTTP/1.1\r\nHost: "
            + authority
            + "\r\nContent-Type: application/json\r\nContent-Length: "
            + json.length()
            + "\r\n\r\n"
            + json);
  }
}
