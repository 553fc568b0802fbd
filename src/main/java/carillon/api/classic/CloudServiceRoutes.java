package carillon.api.classic;

import carillon.api.classic.ClassicXmlWriter.Listed;
import carillon.api.http.ApiResponse;
import carillon.job.CloudService;
import io.vertx.core.Future;
import java.util.Map;

/** Cloud services over HTTP. */
final class CloudServiceRoutes {
  private final CloudServices services;
  private final ClassicXmlWriter xml;

  CloudServiceRoutes(CloudServices services, ClassicXmlWriter xml) {
    this.services = services;
    this.xml = xml;
  }

  /** All cloud services of a subscription. */
  Future<ApiResponse> all(ClassicRequest request) {
    if (!request.method().equals("GET")) {
      throw request.notAllowed("GET");
    }
    return services
        .all(request.path().subscription(), request.caller())
        .map(all -> ApiResponse.xml(200, xml.cloudServices(all)));
  }

  /** One cloud service. */
  Future<ApiResponse> one(ClassicRequest request) {
    String subscription = request.path().subscription();
    String name = request.path().name();
    return switch (request.method()) {
      case "GET" -> services.describe(subscription, name, request.caller()).map(this::answer);
      case "PUT" -> put(request, subscription, name);
      case "DELETE" ->
          services.delete(subscription, name, request.change()).map(done -> ApiResponse.empty(202));
      default -> throw request.notAllowed("GET, PUT, DELETE");
    };
  }

  private ApiResponse answer(Listed listed) {
    return ApiResponse.xml(200, xml.cloudService(listed)).with(etag(listed.service().revision()));
  }

  private Future<ApiResponse> put(ClassicRequest request, String subscription, String name) {
    CloudService service =
        ClassicErrors.read(
            () -> ClassicXmlReader.cloudService(subscription, name, request.body(), request.now()));
    return services
        .put(service, request.change())
        .map(done -> ApiResponse.empty(202).with(etag(service.revision())));
  }

  static Map<String, String> etag(long revision) {
    return Map.of("ETag", ClassicETag.of(revision));
  }
}
