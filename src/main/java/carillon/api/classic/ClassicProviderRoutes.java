package carillon.api.classic;

import carillon.api.http.ApiResponse;
import carillon.api.http.HttpException;
import carillon.job.Quoted;
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

  static ApiResponse entitle(ClassicRequest request) {
    require(request, "POST");
    ClassicErrors.read(
        () -> {
          ClassicXmlReader.checkEntitlement(request.body());
          return true;
        });
    return ApiResponse.empty(202);
  }

  static ApiResponse register(ClassicRequest request) {
    require(request, "PUT");
    request.require("service", "scheduler.jobcollections");
    String action = request.required("action");
    if (!action.equalsIgnoreCase("register") && !action.equalsIgnoreCase("unregister")) {
      throw ClassicRequest.invalidParameter(
          "action: '" + Quoted.of(action) + "' must be register or unregister");
    }
    return ApiResponse.empty(200);
  }

  static ApiResponse properties(ClassicRequest request) {
    require(request, "GET");
    request.require("resourceType", "jobcollections");
    return ApiResponse.xml(200, ClassicXmlWriter.providerProperties());
  }

  /** How a request went; see {@link ClassicRequestId}. */
  static ApiResponse operation(ClassicRequest request) {
    require(request, "GET");
    String id = request.path().name();
    int status =
        ClassicRequestId.status(request.path().subscription(), id)
            .orElseThrow(
                () ->
                    HttpException.of(
                        404,
                        "ResourceNotFound",
                        "The operation '" + Quoted.of(id) + "' was not found.",
                        Map.of()));
    return status < FIRST_REFUSAL
        ? ApiResponse.xml(200, ClassicXmlWriter.operation(dashed(id), 200, Optional.empty()))
        : ApiResponse.xml(
            200, ClassicXmlWriter.operation(dashed(id), status, Optional.of(refused(status))));
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

  private static void require(ClassicRequest request, String method) {
    if (!request.method().equals(method)) {
      throw request.notAllowed(method);
    }
  }
}
