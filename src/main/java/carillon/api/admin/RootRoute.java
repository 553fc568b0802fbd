package carillon.api.admin;

import carillon.api.http.ApiResponse;
import carillon.json.JsonOut;
import java.util.Map;
import java.util.TreeMap;

/** {@code GET /}: what this is, and where to go from here. */
public final class RootRoute {
  private static final Map<String, String> LINKS =
      new TreeMap<>(
          Map.of(
              "jobCollections", "/jobcollections",
              "nodes", "/nodes",
              "keys", "/keys",
              "openapi", "/openapi.yaml",
              "preview", "/preview",
              "health", "/health/ready"));

  private final String version;

  public RootRoute(String version) {
    this.version = version;
  }

  public ApiResponse answer() {
    return ApiResponse.json(
        200,
        JsonOut.of(
            json -> {
              json.writeStartObject();
              json.writeStringField("name", "Carillon");
              json.writeStringField("version", version);
              json.writeObjectFieldStart("links");
              for (Map.Entry<String, String> link : LINKS.entrySet()) {
                json.writeStringField(link.getKey(), link.getValue());
              }
              json.writeEndObject();
              json.writeEndObject();
            }));
  }
}
