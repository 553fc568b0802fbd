package carillon.api.http;

import carillon.json.JsonOut;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a request is answered with.
 *
 * @param body JSON, XML, or empty
 */
public record ApiResponse(int status, Buffer body, Map<String, String> headers) {
  private static final Logger LOG = LoggerFactory.getLogger(ApiResponse.class);

  public static ApiResponse json(int status, byte[] body) {
    return new ApiResponse(
        status, Buffer.buffer(body), Map.of("Content-Type", "application/json; charset=utf-8"));
  }

  public static ApiResponse xml(int status, byte[] body) {
    return new ApiResponse(
        status, Buffer.buffer(body), Map.of("Content-Type", "application/xml; charset=utf-8"));
  }

  public static ApiResponse empty(int status) {
    return new ApiResponse(status, Buffer.buffer(), Map.of());
  }

  static ApiResponse error(int status, String code, String message) {
    return json(
        status,
        JsonOut.of(
            json -> {
              json.writeStartObject();
              json.writeObjectFieldStart("error");
              json.writeStringField("code", code);
              json.writeStringField("message", message);
              json.writeEndObject();
              json.writeEndObject();
            }));
  }

  /** The same answer with more headers. */
  public ApiResponse with(Map<String, String> more) {
    Map<String, String> all = new HashMap<>(headers);
    all.putAll(more);
    return new ApiResponse(status, body, all);
  }

  /** The same answer with an ETag. */
  public ApiResponse withRevision(long revision) {
    return with(Map.of("ETag", "\"" + revision + "\""));
  }

  /** Sends it, unless the client is gone. */
  public void send(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    if (response.ended() || response.closed()) {
      return;
    }
    response.setStatusCode(status);
    response.putHeader("X-Content-Type-Options", "nosniff");
    response.putHeader(HttpHeaders.CACHE_CONTROL, "no-store"); // unless the answer says otherwise
    headers.forEach(response::putHeader);
    response
        .end(body)
        .compose(sent -> hangsUp() ? LingeringClose.after(request) : Future.succeededFuture())
        .onFailure(e -> LOG.atDebug().addKeyValue("error", e).log("answer not sent"));
  }

  private boolean hangsUp() {
    return "close".equals(headers.get("Connection"));
  }
}
