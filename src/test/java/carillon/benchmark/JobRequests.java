package carillon.benchmark;

import io.vertx.core.buffer.Buffer;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;

/**
 * Builder of the bytes of requests to the scheduler: small jobs, mostly one-time, that call the
 * target.
 *
 * @param authority {@code host:port} of the scheduler
 * @param collection name of the collection of the jobs
 * @param target URI that the jobs call
 */
record JobRequests(String authority, String collection, URI target) {
  private static final String RETRIED =
      ",\"retryPolicy\":{\"retryType\":\"fixed\",\"retryInterval\":\"PT1S\",\"retryCount\":1}";

  /** Returns a request for a job that is due at this instant, or immediately without one. */
  Buffer putJob(String id, Optional<Instant> start) {
    return putJob(id, start, false, target);
  }

  Buffer getHistory(String id) {
    return request("GET", "/jobs/" + id + "/history", "");
  }

  /**
   * Returns a request for a job that calls this URI. A failed call is retried once after one
   * second, unless the URI is the target.
   *
   * @param daily whether the job recurs every day
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

  /** Builds the request by hand, so that the load costs little. */
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
