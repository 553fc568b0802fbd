package carillon.api;

import carillon.codec.JsonBytes;
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
record Answer(int status, Buffer body, Map<String, String> headers) {
  private static final Logger LOG = LoggerFactory.getLogger(Answer.class);

  static Answer json(int status, byte[] body) {
    return new Answer(
        status, Buffer.buffer(body), Map.of("Content-Type", "application/json; charset=utf-8"));
  }

  static Answer xml(int status, byte[] body) {
    return new Answer(
        status, Buffer.buffer(body), Map.of("Content-Type", "application/xml; charset=utf-8"));
  }

  static Answer empty(int status) {
    return new Answer(status, Buffer.buffer(), Map.of());
  }

  static Answer error(int status, String code, String message) {
    return json(
        status,
        JsonBytes.of(
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
  Answer with(Map<String, String> more) {
    Map<String, String> all = new HashMap<>(headers);
    all.putAll(more);
    return new Answer(status, body, all);
  }

  /** The same answer with an ETag. */
  Answer withRevision(long revision) {
    return with(Map.of("ETag", "\"" + revision + "\""));
  }

  /** Sends it, unless the client is gone. */
  void send(HttpServerRequest request) {
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
        .compose(sent -> hangsUp() ? HangUp.after(request) : Future.succeededFuture())
        .onFailure(e -> LOG.atDebug().addKeyValue("error", e).log("answer not sent"));
  }

  private boolean hangsUp() {
    return "close".equals(headers.get("Connection"));
  }
}
