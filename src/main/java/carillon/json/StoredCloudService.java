package carillon.json;

import carillon.job.CloudService;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** The stored form of a cloud service. */
final class StoredCloudService {
  private StoredCloudService() {}

  static void write(JsonGenerator json, CloudService service) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", service.name());
    json.writeStringField("label", service.label());
    json.writeStringField("description", service.description());
    if (service.geoRegion().isPresent()) {
      json.writeStringField("location", service.geoRegion().get());
    }
    json.writeStringField("revision", Long.toString(service.revision()));
    json.writeEndObject();
  }

  static CloudService read(String subscription, JsonFields fields) {
    return new CloudService(
        subscription,
        fields.requiredText("name"),
        fields.requiredText("label"),
        fields.requiredText("description"),
        fields.text("location"),
        Long.parseLong(fields.requiredText("revision")));
  }
}
