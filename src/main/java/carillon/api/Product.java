package carillon.api;

import carillon.codec.JsonBytes;
import java.util.Map;
import java.util.TreeMap;

/** {@code GET /}: what this is, and where to go from here. */
final class Product {
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

  Product(String version) {
    this.version = version;
  }

  Answer answer() {
    return Answer.json(
        200,
        JsonBytes.of(
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
