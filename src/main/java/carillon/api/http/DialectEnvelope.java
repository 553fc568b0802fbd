package carillon.api.http;

import carillon.json.DialectCodec;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.util.Map;

/**
 * What a dialect puts around its requests and answers: checks, headers, and the form of refusals.
 * Keeps nothing of a request. Confined to an event loop.
 */
public interface DialectEnvelope {
  /** That of paths outside the dialects. */
  DialectEnvelope NONE = new DialectEnvelope() {};

  /** The dialect in metrics and traces. */
  default String word() {
    return "none";
  }

  /** Reads and writes the documents of the dialect. */
  default DialectCodec codec() {
    throw new IllegalStateException("a path outside the dialects has no documents of theirs");
  }

  /** Refuses what cannot be read, whoever sent it. */
  default void parse(ApiRequest request) {}

  /** The headers of every answer to a request, refusals included. */
  default Map<String, String> headers(HttpServerRequest http, Instant now) {
    return Map.of();
  }

  /**
   * Counts a request whose caller may make it, and refuses what the dialect does not allow.
   *
   * @param headers of the answer, to which this may add
   */
  default void admit(ApiRequest request, Map<String, String> headers) {}

  /** What a failure is answered with, but for the headers. */
  default ApiResponse refusal(Throwable failure, HttpServerRequest http) {
    return ErrorMapping.answer(failure, http);
  }

  /** The answer with the headers of the dialect. */
  default ApiResponse seal(ApiResponse response, RoutePath path, Map<String, String> headers) {
    return headers.isEmpty() ? response : response.with(headers);
  }
}
