package carillon.api.classic;

import carillon.api.classic.ClassicXmlWriter.Listed;
import carillon.api.http.ApiRequest;
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
  Future<ApiResponse> list(ApiRequest request) {
    return services.all(request).map(all -> ApiResponse.xml(200, xml.cloudServices(all)));
  }

  Future<ApiResponse> get(ApiRequest request) {
    return services
        .describe(request.path().subscription(), name(request), request.visible())
        .map(this::answer);
  }

  private static String name(ApiRequest request) {
    return request.path().group().orElseThrow();
  }

  private ApiResponse answer(Listed listed) {
    return ApiResponse.xml(200, xml.cloudService(listed)).with(etag(listed.service().revision()));
  }

  /** Deletes a cloud service with all its collections. */
  Future<ApiResponse> delete(ApiRequest request) {
    return services
        .delete(request.path().subscription(), name(request), request.change())
        .map(done -> ApiResponse.empty(202));
  }

  Future<ApiResponse> put(ApiRequest request) {
    CloudService service =
        ClassicErrors.read(
            () ->
                ClassicXmlReader.cloudService(
                    request.path().subscription(), name(request), request.body(), request.now()));
    return services
        .put(service, request.change())
        .map(done -> ApiResponse.empty(202).with(etag(service.revision())));
  }

  static Map<String, String> etag(long revision) {
    return Map.of("ETag", ClassicETag.of(revision));
  }
}
