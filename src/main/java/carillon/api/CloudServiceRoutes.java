package carillon.api;

import carillon.codec.ClassicETag;
import carillon.codec.ClassicReader;
import carillon.codec.ClassicXml;
import carillon.codec.ClassicXml.Listed;
import carillon.job.CloudService;
import io.vertx.core.Future;
import java.util.Map;

/** Cloud services over HTTP. */
final class CloudServiceRoutes {
  private final CloudServices services;
  private final ClassicXml xml;

  CloudServiceRoutes(CloudServices services, ClassicXml xml) {
    this.services = services;
    this.xml = xml;
  }

  /** All cloud services of a subscription. */
  Future<Answer> all(ClassicRequest request) {
    if (!request.method().equals("GET")) {
      throw request.notAllowed("GET");
    }
    return services
        .all(request.path().subscription(), request.caller())
        .map(all -> Answer.xml(200, xml.cloudServices(all)));
  }

  /** One cloud service. */
  Future<Answer> one(ClassicRequest request) {
    String subscription = request.path().subscription();
    String name = request.path().name();
    return switch (request.method()) {
      case "GET" -> services.describe(subscription, name, request.caller()).map(this::answer);
      case "PUT" -> put(request, subscription, name);
      case "DELETE" ->
          services.delete(subscription, name, request.change()).map(done -> Answer.empty(202));
      default -> throw request.notAllowed("GET, PUT, DELETE");
    };
  }

  private Answer answer(Listed listed) {
    return Answer.xml(200, xml.cloudService(listed)).with(etag(listed.service().revision()));
  }

  private Future<Answer> put(ClassicRequest request, String subscription, String name) {
    CloudService service =
        ClassicErrors.read(
            () -> ClassicReader.cloudService(subscription, name, request.body(), request.now()));
    return services
        .put(service, request.change())
        .map(done -> Answer.empty(202).with(etag(service.revision())));
  }

  static Map<String, String> etag(long revision) {
    return Map.of("ETag", ClassicETag.of(revision));
  }
}
