package carillon.api;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * {@code GET /openapi.yaml}: the API described for programs (OpenAPI), as it is in the program. A
 * browser shows plain text.
 */
final class Description {
  private static final String RESOURCE = "/openapi.yaml";

  private final Answer answer =
      new Answer(200, Buffer.buffer(read()), Map.of("Content-Type", "text/plain; charset=utf-8"));

  Answer answer() {
    return answer;
  }

  static byte[] read() {
    try (InputStream file = Description.class.getResourceAsStream(RESOURCE)) {
      return file.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
