package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.Json;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.OutputUnit;
import io.vertx.openapi.contract.MediaType;
import io.vertx.openapi.contract.OpenAPIContract;
import io.vertx.openapi.contract.Operation;
import io.vertx.openapi.contract.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Checks every answer of an API test against {@code openapi.yaml}. */
final class Contract {
  private static final Contract SHARED = new Contract();

  private final OpenAPIContract contract;

  private Contract() {
    Vertx vertx = Vertx.vertx();
    try {
      contract = Await.result(OpenAPIContract.from(vertx, readable().toString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      Await.result(vertx.close());
    }
  }

  /** Writes the document into a file without the type of iCalendar, which the reader rejects. */
  private static Path readable() throws IOException {
    Path file = Files.createTempFile("openapi", ".yaml");
    file.toFile().deleteOnExit();
    String text = Files.readString(Path.of("src/main/resources/openapi.yaml"));
    return Files.writeString(file, text.replace("text/calendar:", "text/plain:"));
  }

  static Contract shared() {
    return SHARED;
  }

  OpenAPIContract document() {
    return contract;
  }

  /** Returns the description of a request. The path must have the form of the document. */
  Optional<Operation> operation(String method, String path) {
    return Optional.ofNullable(
        contract.findOperation(path.split("\\?", 2)[0], HttpMethod.valueOf(method)));
  }

  /**
   * Fails unless the document allows such an answer; ignores requests that it does not describe.
   */
  void checkAnswer(String method, String path, Answer answer) {
    operation(method, path)
        .ifPresent(
            operation -> {
              String what = method + " " + path + ": " + answer.status();
              Response listed = operation.getResponse(answer.status());
              assertTrue(
                  listed != null || answer.status() >= 400, () -> what + " is not described");
              Response response = listed == null ? operation.getDefaultResponse() : listed;
              if (response.getContent().isEmpty()) {
                assertEquals("", answer.body(), what);
              } else if (response.getContent().containsKey("application/json")) {
                MediaType json = response.getContent().get("application/json");
                checkJson(what, json.getSchema(), Json.decodeValue(answer.body()));
              }
            });
  }

  void checkJson(String what, JsonSchema schema, Object value) {
    OutputUnit outcome = contract.getSchemaRepository().validator(schema).validate(value);
    assertTrue(
        outcome.getValid(),
        () -> what + " is not as described: " + outcome.toJson() + "\n" + Json.encode(value));
  }
}
