package carillon.api.classic;

import carillon.api.http.ApiResponse;
import carillon.api.http.HttpException;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.job.name.Quoted;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Refusals in the classic dialect. In XML they are {@code <Error>} with the documented codes of the
 * service. In JSON, for jobs, they have the form of the other dialects: the service's own form is
 * not on record, and its SDKs read code and message from this one.
 */
final class ClassicErrors {
  private static final int METHOD_NOT_ALLOWED = 405;

  private ClassicErrors() {}

  static ApiResponse answer(HttpException refusal, boolean isXml) {
    HttpException documented =
        refusal.status() == METHOD_NOT_ALLOWED ? verb(refusal) : isXml ? xml(refusal) : refusal;
    return isXml
        ? ApiResponse.xml(documented.status(), ClassicXmlWriter.error(fault(documented)))
            .with(documented.headers())
        : documented.answer();
  }

  private static ClassicXmlWriter.XmlError fault(HttpException refusal) {
    return new ClassicXmlWriter.XmlError(refusal.code(), refusal.getMessage());
  }

  private static HttpException verb(HttpException refusal) {
    return HttpException.of(400, "InvalidHttpVerb", refusal.getMessage(), refusal.headers());
  }

  private static HttpException xml(HttpException refusal) {
    return switch (refusal.status()) {
      case 404, 503 ->
          HttpException.of(
              refusal.status(), word(refusal.status()), refusal.getMessage(), refusal.headers());
      // The service documented no 401.
      case 401 -> HttpException.of(403, refusal.code(), refusal.getMessage(), refusal.headers());
      case 403 -> HttpException.of(403, "ForbiddenError", refusal.getMessage(), Map.of());
      case 409, 412 -> HttpException.of(409, word(409), refusal.getMessage(), refusal.headers());
      default -> refusal;
    };
  }

  /** The documented word for a status. */
  static String word(int status) {
    return switch (status) {
      case 403 -> "AuthenticationFailed";
      case 404 -> "ResourceNotFound";
      case 409 -> "ConflictError";
      case 503 -> "ServerBusy";
      default -> status < 500 ? "BadRequest" : "InternalError";
    };
  }

  static HttpException badRequest(String code, String message) {
    return HttpException.of(400, code, message, Map.of());
  }

  /** Returns the refusal of an unknown cloud service. */
  static JobException noCloudService(String name) {
    return new JobException(
        ErrorCode.COLLECTION_NOT_FOUND,
        "The cloud service '" + Quoted.of(name) + "' was not found.");
  }

  /** Reads a document. Its faults have a special code. */
  static <T> T read(Supplier<T> reader) {
    try {
      return reader.get();
    } catch (JobException e) {
      if (e.code() == ErrorCode.INVALID) {
        throw badRequest("InvalidXmlRequest", e.getMessage());
      }
      throw e;
    }
  }
}
