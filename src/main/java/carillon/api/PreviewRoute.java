package carillon.api;

import carillon.codec.Limits;
import carillon.codec.Preview;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;

/** {@code POST /preview}: when a job would run, without creating one. */
final class PreviewRoute {
  private final Preview preview;

  PreviewRoute(Limits limits) {
    this.preview = new Preview(limits);
  }

  Answer answer(HttpServerRequest request, Buffer body, Instant now) {
    if (!request.method().name().equals("POST")) {
      throw HttpRefusal.methodNotAllowed(request.method().name(), "POST");
    }
    return Answer.json(200, preview.answer(body.getBytes(), now));
  }
}
