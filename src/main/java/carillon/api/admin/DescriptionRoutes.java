package carillon.api.admin;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.json.JsonOut;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;

/** Handlers of the root and of the OpenAPI description. */
public final class DescriptionRoutes {
  private static final Map<String, String> LINKS =
      new TreeMap<>(
          Map.of(
              "jobCollections", "/jobcollections",
              "nodes", "/nodes",
              "keys", "/keys",
              "openapi", "/openapi.yaml",
              "preview", "/preview",
              "explain", "/explain",
              "health", "/health/ready"));

  private final ApiResponse product;
  private final ApiResponse openApi =
      new ApiResponse(
          200, Buffer.buffer(openApi()), Map.of("Content-Type", "text/plain; charset=utf-8"));

  /** A description of this version of the program. */
  public DescriptionRoutes(String version) {
    this.product = ApiResponse.json(200, product(version));
  }

  /** {@code GET /}: name, version and links. */
  public Future<ApiResponse> product(ApiRequest request) {
    return Future.succeededFuture(product);
  }

  private static byte[] product(String version) {
    return JsonOut.object(
        json -> {
          json.writeStringField("name", "Carillon");
          json.writeStringField("version", version);
          json.writeObjectFieldStart("links");
          for (Map.Entry<String, String> link : LINKS.entrySet()) {
            json.writeStringField(link.getKey(), link.getValue());
          }
          json.writeEndObject();
        });
  }

  /**
   * {@code GET /openapi.yaml}: the API described for programs (OpenAPI), as it is in the program. A
   * browser shows plain text.
   */
  public Future<ApiResponse> openApi(ApiRequest request) {
    return Future.succeededFuture(openApi);
  }

  /** The description for programs, in YAML. */
  public static byte[] openApi() {
    try (InputStream file = DescriptionRoutes.class.getResourceAsStream("/openapi.yaml")) {
      return file.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
