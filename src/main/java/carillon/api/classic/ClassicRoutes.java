package carillon.api.classic;

import carillon.api.http.DialectEnvelope;
import carillon.api.http.RoutePermission;
import carillon.api.http.RouteTable;
import carillon.api.jobs.CollectionOperations;
import carillon.api.jobs.JobOperations;
import carillon.api.jobs.JobRoutes;
import carillon.store.Stores;
import java.util.List;

/** The routes of the classic dialect. */
public final class ClassicRoutes {
  private static final String SERVICES = "/{subscription}/cloudservices";
  private static final String SERVICE = SERVICES + "/{group}";

  /** Its words for what is beside cloud services. */
  private static final List<String> WORDS =
      List.of("cloudservices", "entitleresource", "operations", "services", "resourceproviders");

  private final DialectEnvelope json;
  private final DialectEnvelope xml;
  private final CloudServiceRoutes services;
  private final ClassicCollectionRoutes collections;
  private final JobRoutes shared;
  private final ClassicJobRoutes jobs;

  /** Routes to the collections and jobs of the other dialects. */
  public ClassicRoutes(
      Stores stores,
      CollectionOperations collections,
      JobOperations operations,
      ClassicEnvelope envelope) {
    this.json = envelope;
    this.xml = envelope.ofXml();
    ClassicXmlWriter documents = new ClassicXmlWriter(envelope.region());
    CloudServices all = new CloudServices(stores, collections);
    this.services = new CloudServiceRoutes(all, documents);
    this.collections =
        new ClassicCollectionRoutes(all, stores.collections(), collections, documents);
    this.shared = new JobRoutes(operations, stores.lists());
    this.jobs = new ClassicJobRoutes(operations, stores.lists());
  }

  /** Adds them to the table. */
  public void addTo(RouteTable table) {
    for (String word : WORDS) {
      table.below(
          xml, "/{subscription}/" + word, RoutePermission.SUBSCRIPTION_SIGHT, RouteTable::nothing);
    }
    addServices(table);
    for (String provider : List.of("/resources/scheduler", "/resources/scheduler/~")) {
      addCollections(table, SERVICE + provider + "/jobcollections");
      addJobs(table, SERVICE + provider + "/jobcollections/{collection}/jobs");
    }
  }

  private void addServices(RouteTable table) {
    table.at(xml, SERVICES, "cloud_services", RoutePermission.KNOWN).on("GET", services::list);
    table
        .at(xml, SERVICE, "cloud_service", RoutePermission.CLOUD_SERVICE_WRITER)
        .on("GET", RoutePermission.CLOUD_SERVICE_SIGHT, services::get)
        .on("PUT", services::put)
        .on("DELETE", services::delete);
    RoutePermission sight = RoutePermission.SUBSCRIPTION_SIGHT;
    table
        .at(xml, "/{subscription}/entitleresource", "entitlement", sight)
        .on("POST", ClassicProviderRoutes::entitle);
    table
        .at(xml, "/{subscription}/services", "registration", sight)
        .on("PUT", ClassicProviderRoutes::register);
    table
        .at(xml, "/{subscription}/resourceproviders/scheduler/properties", "provider", sight)
        .on("GET", ClassicProviderRoutes::properties);
    table
        .at(xml, "/{subscription}/operations/{operation}", "operation", sight)
        .on("GET", ClassicProviderRoutes::operation);
  }

  private void addCollections(RouteTable table, String path) {
    // One SDK asks with GET whether a name is free, another with POST.
    table
        .at(xml, path, "collections", RoutePermission.CLOUD_SERVICE_READER)
        .on("GET", collections::availability)
        .on("POST", collections::availability);
    table
        .at(xml, path + "/{collection}", "collection", RoutePermission.GROUP_WRITER)
        .on("GET", RoutePermission.COLLECTION_READER, collections::get)
        .on("PUT", collections::put)
        .on("DELETE", collections::delete);
  }

  private void addJobs(RouteTable table, String path) {
    table
        .at(json, path, "jobs", RoutePermission.COLLECTION_WRITER)
        .on("GET", RoutePermission.COLLECTION_READER, shared::list)
        .on("POST", shared::create)
        .on("PATCH", RoutePermission.COLLECTION_OPERATOR, shared::patchAll)
        .on("DELETE", jobs::deleteAll);
    shared.addJob(table, json, path + "/{job}");
    table
        .at(json, path + "/{job}/history", "history", RoutePermission.COLLECTION_WRITER)
        .on("GET", RoutePermission.COLLECTION_READER, jobs::history);
  }
}
