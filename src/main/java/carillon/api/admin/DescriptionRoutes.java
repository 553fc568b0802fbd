package carillon.api.admin;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.json.schedule.TimeZoneNames;
import carillon.json.text.JsonOut;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.TreeMap;

/**
 * Handlers of the root, of the OpenAPI description, in YAML and in JSON, and of the time zones.
 * Their answers are the same for all, and kept. Confined to an event loop.
 */
public final class DescriptionRoutes {
  private static final Map<String, String> LINKS =
      new TreeMap<>(
          Map.of(
              "jobCollections", "/jobcollections",
              "nodes", "/nodes",
              "keys", "/keys",
              "openapi", "/openapi.yaml",
              "docs", "/docs",
              "preview", "/preview",
              "explain", "/explain",
              "health", "/health/ready"));

  private final Vertx vertx;
  private Future<ApiResponse> openApiJson; // once it is asked for
  private ApiResponse timeZones; // once they are asked for
  private Instant timeZonesAt = Instant.MIN;
  private final ApiResponse product;
  private final ApiResponse openApi =
      new ApiResponse(
              200, Buffer.buffer(openApi()), Map.of("Content-Type", "text/plain; charset=utf-8"))
          .constant();

  /** A description of this version of the program. */
  public DescriptionRoutes(String version, Vertx vertx) {
    this.vertx = vertx;
    this.product = ApiResponse.json(200, product(version)).constant();
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

  /**
   * {@code GET /openapi.json}: the same in JSON, which browsers read. Not on an event loop: to read
   * the YAML takes tens of milliseconds, the first time more. Asked once by each event loop.
   */
  public Future<ApiResponse> openApiJson(ApiRequest request) {
    if (openApiJson == null || openApiJson.failed()) {
      openApiJson = vertx.executeBlocking(() -> InJson.ANSWER, false);
    }
    return openApiJson;
  }

  /** {@code GET /timezones}: their offsets change at whole minutes. */
  public Future<ApiResponse> timeZones(ApiRequest request) {
    Instant minute = request.now().truncatedTo(ChronoUnit.MINUTES);
    if (!minute.equals(timeZonesAt)) {
      timeZones = ApiResponse.json(200, TimeZoneNames.document(minute)).constant();
      timeZonesAt = minute;
    }
    return Future.succeededFuture(timeZones);
  }

  /** Description in JSON, converted on the first request. */
  private static final class InJson {
    static final ApiResponse ANSWER = ApiResponse.json(200, converted()).constant().prepared();

    private static byte[] converted() {
      ByteArrayOutputStream json = new ByteArrayOutputStream();
      try (JsonParser from = new YAMLFactory().createParser(openApi());
          JsonGenerator to = new JsonFactory().createGenerator(json)) {
        from.nextToken();
        to.copyCurrentStructure(from);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return json.toByteArray();
    }
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
