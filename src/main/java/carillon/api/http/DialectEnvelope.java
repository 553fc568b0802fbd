package carillon.api.http;

import carillon.json.DialectCodecs;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.util.Map;

/**
 * Envelope of a dialect: the checks, headers and form of refusals around its requests and
 * responses. Keeps nothing of a request. Confined to an event loop.
 */
public interface DialectEnvelope {
  /** Envelope of paths outside the dialects. */
  DialectEnvelope NONE =
      new DialectEnvelope() {
        @Override
        public void parse(ApiRequest request) {
          request.checkQuery();
          request.checkBody();
        }
      };

  /** Name of the dialect in metrics and traces. */
  default String word() {
    return "none";
  }

  /** Codec of the documents of the dialect. */
  default DialectCodecs codec() {
    throw new IllegalStateException("a path outside the dialects has no documents of theirs");
  }

  /** Whether a job that is written makes the collection that it lacks. */
  default boolean makesCollections() {
    return false;
  }

  /** Whether bodies of a Content-Type are read, in addition to JSON. */
  default boolean reads(String contentType) {
    return false;
  }

  /** Whether this dialect refuses the requests to a path that is in no table. */
  default boolean refuses(String path) {
    return false;
  }

  /** The refusal of callers who may not know of a group or a resource in it. */
  default RuntimeException hidden(ApiRequest request) {
    return request.notFound();
  }

  /** Refuses a request that cannot be read, before its permission is checked. */
  default void parse(ApiRequest request) {}

  /** Headers of every response to a request, refusals included. */
  default Map<String, String> headers(HttpServerRequest http, Instant now) {
    return Map.of();
  }

  /**
   * Counts a permitted request, and refuses it if the dialect does not allow it.
   *
   * @param headers of the answer, to which this may add
   */
  default void admit(ApiRequest request, Map<String, String> headers) {}

  /** The response to a request that failed, without the headers of the dialect. */
  default ApiResponse refusal(Throwable failure, HttpServerRequest http, RoutePath path) {
    return ErrorMapping.answer(failure, http);
  }

  /** The answer with the headers of the dialect. */
  default ApiResponse withHeaders(
      ApiResponse response, RoutePath path, Map<String, String> headers) {
    return headers.isEmpty() ? response : response.with(headers);
  }

  /** Envelope of the native dialect: counts the requests for each collection. */
  record Native(DialectCodecs codec, RequestRateLimiter rates, boolean makesCollections)
      implements DialectEnvelope {
    @Override
    public String word() {
      return "native";
    }

    @Override
    public void parse(ApiRequest request) {
      request.checkQuery();
      request.checkBody();
    }

    @Override
    public void admit(ApiRequest request, Map<String, String> headers) {
      rates.countCollection(request);
    }
  }
}
