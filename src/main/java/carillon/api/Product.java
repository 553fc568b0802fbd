package carillon.api;

import carillon.codec.JsonBytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** {@code GET /}: what this is, and where to go from here. */
final class Product {
  private static final Map<String, String> LINKS =
      new TreeMap<>(
          Map.of(
              "jobCollections", "/jobcollections",
              "preview", "/preview",
              "health", "/health/ready"));

  private final String version = version();

  private static String version() {
    try (InputStream resource = Product.class.getResourceAsStream("/carillon/version.properties")) {
      Properties properties = new Properties();
      properties.load(resource);
      return properties.getProperty("version");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
