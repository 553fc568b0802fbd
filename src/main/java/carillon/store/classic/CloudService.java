package carillon.store.classic;

import carillon.job.name.CollectionName;
import carillon.job.name.NameRules;
import carillon.json.StoredJson;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import java.util.Optional;

/**
 * Cloud service of the classic API: the resource group of the other dialects, with a few additional
 * texts. A group with collections but without such a record is a cloud service as well, see {@link
 * #ofGroup}.
 *
 * @param subscription the Azure subscription
 * @param name the name of the resource group
 * @param label a client's text
 * @param description a client's text
 * @param geoRegion where its collections are said to be, as the client gave it
 * @param revision changes with every write; the ETag. 0 where nothing was written
 */
public record CloudService(
    String subscription,
    String name,
    String label,
    String description,
    Optional<String> geoRegion,
    long revision) {
  public CloudService {
    NameRules.check("subscription", subscription);
    NameRules.check("cloud service", name);
  }

  /** Returns the cloud service that the retired service showed for a resource group. */
  public static CloudService ofGroup(String subscription, String group, Optional<String> location) {
    return new CloudService(
        subscription, group, group, "Resource group based cloud service.", location, 0);
  }

  /** Writes the stored form, which omits the subscription. */
  public String stored() {
    return JsonOut.text(
        json -> {
          json.writeStartObject();
          json.writeStringField("name", name);
          json.writeStringField("label", label);
          json.writeStringField("description", description);
          if (geoRegion.isPresent()) {
            json.writeStringField("location", geoRegion.get());
          }
          json.writeStringField("revision", Long.toString(revision));
          json.writeEndObject();
        });
  }

  /** Reads the stored form. */
  static CloudService read(String subscription, String json) {
    return StoredJson.read(json, fields -> read(subscription, fields));
  }

  private static CloudService read(String subscription, JsonFields fields) {
    return new CloudService(
        subscription,
        fields.requiredText("name"),
        fields.requiredText("label"),
        fields.requiredText("description"),
        fields.text("location"),
        Long.parseLong(fields.requiredText("revision")));
  }

  /** The full name of a job collection in this cloud service. */
  public CollectionName collection(String collection) {
    return new CollectionName(subscription, name, collection);
  }

  /** The case-folded name, as stored in Redis. */
  public static String key(String name) {
    return NameRules.fold(name);
  }
}
