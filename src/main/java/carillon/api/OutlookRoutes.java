package carillon.api;

import carillon.codec.JsonBytes;
import carillon.codec.Outlook;
import carillon.codec.Submission;
import carillon.job.JobException;
import carillon.job.JobName;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Optional;

/** What is to come of a job, of one that is there or of one that might be. */
final class OutlookRoutes {
  private static final int USUAL_TOP = 10;

  private final JobOperations operations;

  OutlookRoutes(JobOperations operations) {
    this.operations = operations;
  }

  /** {@code GET .../occurrences}: the next ones, from the one that waits on. */
  Future<Answer> occurrences(ApiRequest request) {
    if (!request.method().equals("GET")) {
      throw request.notAllowed("GET");
    }
    int top = request.query().text("$top").isPresent() ? request.query().top() : USUAL_TOP;
    return operations
        .get(request.path().job())
        .map(
            job ->
                new Outlook(job.definition(), job.created(), job.next(), job.occurrence())
                    .document(top))
        .map(document -> Answer.json(200, document));
  }

  /**
   * {@code POST .../validate}: whether a PUT of this document would be accepted, and what would
   * come of it. Stores nothing. That it would be refused is an answer, not a failure.
   */
  Future<Answer> validate(ApiRequest request) {
    if (!request.method().equals("POST")) {
      throw request.notAllowed("POST");
    }
    return Attempt.of(() -> outlook(request, request.path().job(), request.now()))
        .map(outlook -> outlook.document(USUAL_TOP))
        .recover(failure -> refusal(failure, request).map(OutlookRoutes::refused))
        .map(document -> Answer.json(200, document));
  }

  private Future<Outlook> outlook(ApiRequest request, JobName name, Instant now) {
    Submission submission = request.wire().jobReader().read(request.body(), now);
    return operations
        .check(name, submission, request.change())
        .map(
            admitted ->
                new Outlook(submission.definition(), now, Optional.of(submission.first()), 1));
  }

  /** A failure that is not about the document stays one. */
  private static Future<HttpRefusal> refusal(Throwable failure, ApiRequest request) {
    boolean isAboutTheJob =
        failure instanceof JobException refusal
            && switch (refusal.code()) {
              case INVALID, CONFLICT -> true;
              case JOB_NOT_FOUND,
                  COLLECTION_NOT_FOUND,
                  PRECONDITION_FAILED,
                  JOB_DAMAGED,
                  STORE_UNAVAILABLE ->
                  false;
            };
    return isAboutTheJob
        ? Future.succeededFuture(ErrorMapping.refusal(failure, request.http()))
        : Future.failedFuture(failure);
  }

  private static byte[] refused(HttpRefusal refusal) {
    return JsonBytes.of(
        json -> {
          json.writeStartObject();
          json.writeObjectFieldStart("error");
          json.writeStringField("code", refusal.code());
          json.writeStringField("message", refusal.getMessage());
          json.writeEndObject();
          json.writeEndObject();
        });
  }
}
