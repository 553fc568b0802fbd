package carillon.api;

import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Client of the API. Headers are given as name, value, name, value. Backquotes in a body are sent
 * as double quotes.
 */
public interface ApiClient {
  Answer send(String method, String path, String body, String... headers);

  default Answer get(String path, String... headers) {
    return send("GET", path, null, headers);
  }

  default Answer put(String path, String body, String... headers) {
    return send("PUT", path, body, headers);
  }

  default Answer patch(String path, String body, String... headers) {
    return send("PATCH", path, body, headers);
  }

  default Answer post(String path, String body, String... headers) {
    return send("POST", path, body, headers);
  }

  /** Sends a POST without a body. */
  default Answer post(String path) {
    return send("POST", path, null);
  }

  default Answer delete(String path, String... headers) {
    return send("DELETE", path, null, headers);
  }

  /** Returns a client that sends these headers with each request. */
  default ApiClient with(String... own) {
    return (method, path, body, headers) ->
        send(
            method,
            path,
            body,
            Stream.of(own, headers).flatMap(Arrays::stream).toArray(String[]::new));
  }
}
