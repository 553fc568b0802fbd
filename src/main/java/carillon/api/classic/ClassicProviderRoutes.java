package carillon.api.classic;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.HttpException;
import carillon.job.Quoted;
import io.vertx.core.Future;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What the classic dialect has beside cloud services and collections. Registration and entitlement
 * were the subscription's contract with Azure; here they are accepted, and there is nothing to
 * keep.
 */
final class ClassicProviderRoutes {
  private static final int FIRST_REFUSAL = 400;

  private ClassicProviderRoutes() {}

  static Future<ApiResponse> entitle(ApiRequest request) {
    ClassicErrors.read(
        () -> {
          ClassicXmlReader.checkEntitlement(request.body());
          return true;
        });
    return Future.succeededFuture(ApiResponse.empty(202));
  }

  static Future<ApiResponse> register(ApiRequest request) {
    require(request, "service", "scheduler.jobcollections");
    String action = required(request, "action");
    if (!action.equalsIgnoreCase("register") && !action.equalsIgnoreCase("unregister")) {
      throw invalidParameter("action: '" + Quoted.of(action) + "' must be register or unregister");
    }
    return Future.succeededFuture(ApiResponse.empty(200));
  }

  static Future<ApiResponse> properties(ApiRequest request) {
    require(request, "resourceType", "jobcollections");
    return Future.succeededFuture(ApiResponse.xml(200, ClassicXmlWriter.providerProperties()));
  }

  /** How a request went; see {@link ClassicRequestId}. */
  static Future<ApiResponse> operation(ApiRequest request) {
    String id = request.path().id();
    int status =
        ClassicRequestId.status(request.path().subscription(), id)
            .orElseThrow(
                () ->
                    HttpException.of(
                        404,
                        "ResourceNotFound",
                        "The operation '" + Quoted.of(id) + "' was not found.",
                        Map.of()));
    byte[] document =
        status < FIRST_REFUSAL
            ? ClassicXmlWriter.operation(dashed(id), 200, Optional.empty())
            : ClassicXmlWriter.operation(dashed(id), status, Optional.of(refused(status)));
    return Future.succeededFuture(ApiResponse.xml(200, document));
  }

  private static ClassicXmlWriter.Fault refused(int status) {
    return new ClassicXmlWriter.Fault(
        ClassicErrors.word(status), "The request was refused; its own answer says why.");
  }

  private static String dashed(String id) {
    String bare = id.replace("-", "");
    return new UUID(
            Long.parseUnsignedLong(bare, 0, 16, 16), Long.parseUnsignedLong(bare, 16, 32, 16))
        .toString();
  }

  /** A parameter of the query that must be there. */
  static String required(ApiRequest request, String parameter) {
    return request
        .query()
        .text(parameter.toLowerCase(Locale.ROOT))
        .filter(text -> !text.isBlank())
        .orElseThrow(() -> invalidParameter(parameter + ": this query parameter is missing"));
  }

  /** Refuses a parameter of the query that is not this word, in any case. */
  static void require(ApiRequest request, String parameter, String word) {
    String given = required(request, parameter);
    if (!given.equalsIgnoreCase(word)) {
      throw invalidParameter(parameter + ": '" + Quoted.of(given) + "' must be " + word);
    }
  }

  private static HttpException invalidParameter(String message) {
    return ClassicErrors.badRequest("MissingOrInvalidRequiredQueryParameter", message);
  }
}
