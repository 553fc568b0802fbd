package carillon.api.admin;

import carillon.api.http.ApiResponse;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * {@code GET /openapi.yaml}: the API described for programs (OpenAPI), as it is in the program. A
 * browser shows plain text.
 */
public final class OpenApiRoute {
  private static final String RESOURCE = "/openapi.yaml";

  private final ApiResponse response =
      new ApiResponse(
          200, Buffer.buffer(read()), Map.of("Content-Type", "text/plain; charset=utf-8"));

  public ApiResponse answer() {
    return response;
  }

  public static byte[] read() {
    try (InputStream file = OpenApiRoute.class.getResourceAsStream(RESOURCE)) {
      return file.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
