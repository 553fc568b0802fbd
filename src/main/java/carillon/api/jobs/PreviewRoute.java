package carillon.api.jobs;

import carillon.api.http.ApiResponse;
import carillon.api.http.HttpException;
import carillon.json.Preview;
import carillon.json.SubmissionLimits;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;

/** {@code POST /preview}: when a job would run, without creating one. */
public final class PreviewRoute {
  private final Preview preview;

  public PreviewRoute(SubmissionLimits limits) {
    this.preview = new Preview(limits);
  }

  public ApiResponse answer(HttpServerRequest request, Buffer body, Instant now) {
    if (!request.method().name().equals("POST")) {
      throw HttpException.methodNotAllowed(request.method().name(), "POST");
    }
    return ApiResponse.json(200, preview.answer(body.getBytes(), now));
  }
}
