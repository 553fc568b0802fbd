package carillon.api.http;

import carillon.auth.LoginException;
import carillon.auth.RequestId;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.job.name.Quoted;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Mapping of every failure to a refusal: status, code and message. */
public final class ErrorMapping {
  private static final Logger LOG = LoggerFactory.getLogger(ErrorMapping.class);

  private static final String CHALLENGE = "Bearer realm=\"Carillon\"";

  private ErrorMapping() {}

  /**
   * The answer to a request that failed, {@code {"error":{"code","message","requestId"}}}, with
   * details if any.
   */
  public static ApiResponse answer(Throwable failure, HttpServerRequest request) {
    return refusal(failure, request).answer(request);
  }

  /** The refusal for the client. A bug is a 500, and its text is in the log alone. */
  public static HttpException refusal(Throwable failure, HttpServerRequest request) {
    if (failure instanceof JobException refusal) {
      return refusal(refusal, request);
    }
    if (failure instanceof HttpException refusal) {
      return refusal;
    }
    if (failure instanceof LoginException login) {
      return refusal(login);
    }
    LOG.atError()
        .addKeyValue("method", request.method())
        .addKeyValue("path", Quoted.of(String.valueOf(request.path())))
        .addKeyValue("requestId", RequestId.of(request))
        .setCause(failure)
        .log("request failed");
    return HttpException.of(
        500,
        "InternalError",
        "The request failed because of an internal error of the scheduler.",
        Map.of());
  }

  /** Keeps the reason why a key or token is refused for the log. */
  private static HttpException refusal(LoginException failure) {
    return switch (failure.kind()) {
      case MISSING ->
          HttpException.unauthenticated(
              "Authentication failed. The 'Authorization' header is missing.", CHALLENGE);
      case ENDED ->
          HttpException.unauthenticated(
              "Authentication failed. The session has ended; sign in again.", CHALLENGE);
      case REFUSED ->
          HttpException.unauthenticated(
              "Authentication failed. The credential is not accepted.",
              CHALLENGE + ", error=\"invalid_token\"");
      case DECLINED -> HttpException.unauthenticated(failure.getMessage(), CHALLENGE);
      case WITHOUT_GRANT -> HttpException.forbidden(failure.getMessage());
      case TOO_OFTEN ->
          HttpException.tooMany(
              "Authentication failed too often from this address.", failure.retryAfter());
      case UNAVAILABLE ->
          HttpException.of(
              503,
              "ServiceUnavailable",
              "The caller cannot be authenticated now: " + failure.getMessage() + "; try again.",
              Map.of("Retry-After", Long.toString(failure.retryAfter().toSeconds() + 1)));
    };
  }

  private static HttpException refusal(JobException refusal, HttpServerRequest request) {
    if (refusal.code() == ErrorCode.STORE_DAMAGED) {
      LOG.atError()
          .addKeyValue("cause", refusal.getMessage())
          .addKeyValue("requestId", RequestId.of(request))
          .log("request failed");
    }
    Map<String, String> headers =
        refusal.code() == ErrorCode.STORE_UNAVAILABLE ? Map.of("Retry-After", "1") : Map.of();
    HttpException mapped =
        HttpException.of(
            status(refusal.code()), word(refusal.code()), refusal.getMessage(), headers);
    return refusal.details().isEmpty()
        ? mapped
        : mapped.with(
            refusal.details().stream()
                .map(d -> new HttpException.ErrorDetail(word(d.code()), d.message(), d.target()))
                .toList());
  }

  private static int status(ErrorCode code) {
    return switch (code) {
      case INVALID, TOO_MANY_JOBS -> 400;
      case JOB_NOT_FOUND, COLLECTION_NOT_FOUND -> 404;
      case CONFLICT -> 409;
      case PRECONDITION_FAILED -> 412;
      case TOO_MANY_CHANGES -> 413;
      case JOB_DAMAGED, COLLECTION_DAMAGED, FLOW_DAMAGED, CALENDAR_DAMAGED, STORE_DAMAGED -> 500;
      case STORE_UNAVAILABLE -> 503;
    };
  }

  private static String word(ErrorCode code) {
    return switch (code) {
      case INVALID -> "BadRequest";
      case TOO_MANY_JOBS, TOO_MANY_CHANGES -> "TooManyJobs";
      case JOB_NOT_FOUND, COLLECTION_NOT_FOUND -> "NotFound";
      case CONFLICT -> "Conflict";
      case PRECONDITION_FAILED -> "PreconditionFailed";
      case JOB_DAMAGED -> "JobDamaged";
      case COLLECTION_DAMAGED -> "CollectionDamaged";
      case FLOW_DAMAGED -> "FlowDamaged";
      case CALENDAR_DAMAGED -> "CalendarDamaged";
      case STORE_DAMAGED -> "StoreDamaged";
      case STORE_UNAVAILABLE -> "ServiceUnavailable";
    };
  }
}
