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
  private static final String HEAD =
      "%s %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s";

  /** A job that is due at an instant; without one, at once. */
  Buffer putJob(String id, Optional<Instant> start) {
    String startTime = start.map(instant -> "\"startTime\":\"" + instant + "\",").orElse("");
    String json =
        "{"
            + startTime
            + "\"action\":{\"type\":\"http\",\"request\":{\"uri\":\""
            + target
            + "\",\"method\":\"POST\",\"headers\":{\"Content-Type\":\"application/json\"},\"body\":\"{\\\"n\\\":1}\"}}}";
    String path = path() + "/jobs/" + id;
    return Buffer.buffer(
        "PUT "
            + path
            + " HTTP/1.1\r\nHost: "
            + authority
            + "\r\nContent-Type: application/json\r\nContent-Length: "
            + json.length()
            + "\r\n\r\n"
            + json);
  }

  Buffer putCollection() {
    return Buffer.buffer(HEAD.formatted("PUT", path(), authority, 2, "{}"));
  }

  Buffer deleteCollection() {
    return Buffer.buffer(HEAD.formatted("DELETE", path(), authority, 0, ""));
  }

  private String path() {
    return "/jobcollections/" + collection;
  }
}
