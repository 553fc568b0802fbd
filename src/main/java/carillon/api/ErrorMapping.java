package carillon.api;

import carillon.job.ErrorCode;
import carillon.job.Excerpt;
import carillon.job.JobException;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns every failure into {@code {"error":{"code","message"}}}. */
final class ErrorMapping {
  private static final Logger LOG = LoggerFactory.getLogger(ErrorMapping.class);

  private ErrorMapping() {}

  /** The answer to a request that failed. A bug answers 500 and keeps its text in the log. */
  static Answer answer(Throwable failure, HttpServerRequest request) {
    if (failure instanceof JobException refusal) {
      return answer(refusal);
    }
    if (failure instanceof HttpRefusal refusal) {
      return refusal.answer();
    }
    LOG.atError()
        .addKeyValue("method", request.method())
        .addKeyValue("path", Excerpt.of(String.valueOf(request.path())))
        .setCause(failure)
        .log("request failed");
    return Answer.error(
        500, "InternalError", "The request failed because of an error of the scheduler.");
  }

  private static Answer answer(JobException refusal) {
    Answer answer =
        Answer.error(status(refusal.code()), word(refusal.code()), refusal.getMessage());
    return refusal.code() == ErrorCode.STORE_UNAVAILABLE
        ? answer.with(Map.of("Retry-After", "1"))
        : answer;
  }

  private static int status(ErrorCode code) {
    return switch (code) {
      case INVALID -> 400;
      case JOB_NOT_FOUND, COLLECTION_NOT_FOUND -> 404;
      case CONFLICT -> 409;
      case PRECONDITION_FAILED -> 412;
      case STORE_UNAVAILABLE -> 503;
    };
  }

  private static String word(ErrorCode code) {
    return switch (code) {
      case INVALID -> "BadRequest";
      case JOB_NOT_FOUND -> "NotFound";
      case COLLECTION_NOT_FOUND -> "ResourceNotFound";
      case CONFLICT -> "Conflict";
      case PRECONDITION_FAILED -> "PreconditionFailed";
      case STORE_UNAVAILABLE -> "ServiceUnavailable";
    };
  }
}
