package carillon.api.classic;

import carillon.job.collection.AzureRegions;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.CollectionDefinition.MaxRecurrence;
import carillon.job.collection.CollectionDefinition.Quota;
import carillon.job.collection.JobCollection;
import carillon.store.classic.CloudService;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import javax.xml.stream.XMLStreamException;

/**
 * Writer of the XML documents of the classic dialect, in the service's order of elements.
 *
 * @param region shown where no other is known
 */
record ClassicXmlWriter(String region) {
  static final String NAMESPACE = "http://schemas.microsoft.com/windowsazure";
  static final String INSTANCE_NAMESPACE = "http://www.w3.org/2001/XMLSchema-instance";
  private static final String SCHEMA_VERSION = "1.1";
  private static final String SUCCEEDED = "Succeeded";

  /** Code and message of a refusal. */
  record XmlError(String code, String message) {}

  /** A cloud service and its collections. */
  record ServiceListing(CloudService service, List<JobCollection> collections) {
    ServiceListing {
      collections = List.copyOf(collections);
    }
  }

  /** Writes a cloud service. */
  byte[] cloudService(ServiceListing listed) {
    return XmlOut.of("CloudService", xml -> write(xml, listed));
  }

  /** All cloud services. */
  byte[] cloudServices(List<ServiceListing> all) {
    return XmlOut.of(
        "CloudServices",
        xml -> {
          for (ServiceListing listed : all) {
            xml.element("CloudService", inner -> write(inner, listed));
          }
        });
  }

  private void write(XmlOut xml, ServiceListing listed) throws XMLStreamException {
    xml.text("Name", listed.service().name());
    xml.text("Label", listed.service().label());
    xml.text("Description", listed.service().description());
    xml.text("GeoRegion", region(listed.service().geoRegion()));
    if (listed.collections().isEmpty()) {
      xml.empty("Resources");
      return;
    }
    xml.element(
        "Resources",
        resources -> {
          for (JobCollection collection : listed.collections()) {
            resources.element("Resource", resource -> writeListed(resource, collection));
          }
        });
  }

  private static void writeListed(XmlOut xml, JobCollection collection) throws XMLStreamException {
    xml.text("ResourceProviderNamespace", "Scheduler");
    xml.text("Type", "jobcollections");
    xml.text("Name", collection.name().collection());
    xml.text("SchemaVersion", SCHEMA_VERSION);
    xml.text("ETag", etag(collection.revision()));
    xml.text("State", state(collection.definition()));
    xml.element("IntrinsicSettings", settings -> write(settings, collection.definition()));
    xml.element(
        "OperationStatus",
        status -> {
          boolean isNew = collection.created().equals(collection.modified());
          status.text("Type", isNew ? "Create" : "Update");
          status.text("Result", SUCCEEDED);
        });
    xml.text("Label", label(collection).orElse(collection.name().collection()));
  }

  /** Writes a collection. */
  byte[] collection(JobCollection collection) {
    return XmlOut.of(
        "Resource",
        xml -> {
          xml.element(
              "CloudServiceSettings",
              settings -> settings.text("GeoRegion", region(collection.definition().location())));
          xml.text("ETag", etag(collection.revision()));
          xml.element("IntrinsicSettings", settings -> write(settings, collection.definition()));
          if (collection.definition().label().isPresent()) {
            xml.text("Label", label(collection).orElseThrow());
          }
          xml.text("Name", collection.name().collection());
          xml.element("OperationStatus", ClassicXmlWriter::writeSucceeded);
          xml.text("PromotionCode", "");
          xml.text("SchemaVersion", SCHEMA_VERSION);
          xml.text("State", state(collection.definition()));
          xml.nil("SubState");
          xml.text("Type", "jobcollections");
        });
  }

  /** The ETag of a collection or cloud service: its revision as a GUID, without quotes. */
  static String etag(long revision) {
    return new UUID(0, revision).toString();
  }

  private static void writeSucceeded(XmlOut xml) throws XMLStreamException {
    xml.element(
        "Error",
        error -> {
          error.text("HttpCode", "200");
          error.text("Message", "OK");
        });
    xml.text("Result", SUCCEEDED);
  }

  private static void write(XmlOut xml, CollectionDefinition definition) throws XMLStreamException {
    if (definition.sku().isPresent()) {
      xml.text("Plan", definition.sku().get());
    }
    if (definition.quota().isPresent()) {
      xml.element("Quota", quota -> write(quota, definition.quota().get()));
    }
  }

  private static void write(XmlOut xml, Quota quota) throws XMLStreamException {
    writeNumber(xml, "MaxJobCount", quota.maxJobCount());
    writeNumber(xml, "MaxJobOccurrence", quota.maxJobOccurrence());
    if (quota.maxRecurrence().isPresent()) {
      MaxRecurrence most = quota.maxRecurrence().get();
      xml.element(
          "MaxRecurrence",
          recurrence -> {
            recurrence.text("Frequency", most.frequency().label());
            recurrence.text("Interval", Integer.toString(most.interval()));
          });
    }
  }

  private static void writeNumber(XmlOut xml, String name, OptionalInt number)
      throws XMLStreamException {
    if (number.isPresent()) {
      xml.text(name, Integer.toString(number.getAsInt()));
    }
  }

  private String region(Optional<String> location) {
    return location.map(AzureRegions::display).orElse(region);
  }

  private static String state(CollectionDefinition definition) {
    return switch (definition.state()) {
      case ENABLED -> "Started";
      case DISABLED -> "Stopped";
      case SUSPENDED -> "Suspended";
    };
  }

  private static Optional<String> label(JobCollection collection) {
    return collection
        .definition()
        .label()
        .map(label -> Base64.getEncoder().encodeToString(label.getBytes(StandardCharsets.UTF_8)));
  }

  /** Answer whether a name is free. */
  static byte[] availability(boolean isAvailable) {
    return XmlOut.of(
        "ResourceNameAvailabilityResponse",
        xml -> xml.text("IsAvailable", Boolean.toString(isAvailable)));
  }

  /** Writes the properties of the resource provider: the regions that it knows by name. */
  static byte[] providerProperties() {
    return XmlOut.of(
        "ResourceProviderProperties",
        xml ->
            xml.element(
                "ResourceProviderProperty",
                property -> {
                  property.text("Key", "SupportedGeoRegions");
                  property.text("Value", String.join(",", AzureRegions.NAMES));
                }));
  }

  /**
   * Writes the status of an earlier request.
   *
   * @param id with dashes
   * @param status of its answer
   * @param fault reason of a refusal
   */
  static byte[] operation(String id, int status, Optional<XmlError> fault) {
    return XmlOut.of(
        "Operation",
        xml -> {
          xml.text("ID", id);
          xml.text("Status", fault.isPresent() ? "Failed" : SUCCEEDED);
          xml.text("HttpStatusCode", Integer.toString(status));
          if (fault.isPresent()) {
            xml.element("Error", error -> write(error, fault.get()));
          }
        });
  }

  /** A refusal. */
  static byte[] error(XmlError fault) {
    return XmlOut.of("Error", xml -> write(xml, fault));
  }

  private static void write(XmlOut xml, XmlError fault) throws XMLStreamException {
    xml.text("Code", fault.code());
    xml.text("Message", fault.message());
  }
}
