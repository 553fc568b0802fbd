package carillon.api.jobs;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.ErrorMapping;
import carillon.api.http.HttpException;
import carillon.api.resources.CalendarOperations;
import carillon.job.StoredJob;
import carillon.job.collection.Hold.Holds;
import carillon.job.name.JobException;
import carillon.job.name.JobKey;
import carillon.job.name.JobName;
import carillon.json.JobCodec.JobSubmission;
import carillon.json.view.JobForecast;
import carillon.recurrence.calendar.CalendarDirectory;
import carillon.recurrence.timetable.Exclusions;
import carillon.store.collection.HoldReader;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Handlers of forecasts: upcoming occurrences of a stored job, or of one submitted to be checked.
 */
public final class ForecastRoutes {
  private static final int USUAL_TOP = 10;

  private final JobOperations operations;
  private final CalendarOperations calendars;
  private final FirstUse firstUse;
  private final HoldReader holds;

  ForecastRoutes(
      JobOperations operations, CalendarOperations calendars, FirstUse firstUse, HoldReader holds) {
    this.holds = holds;
    this.operations = operations;
    this.calendars = calendars;
    this.firstUse = firstUse;
  }

  /** {@code GET .../occurrences}: the next occurrences. */
  public Future<ApiResponse> occurrences(ApiRequest request) {
    int top = request.query().text("$top").isPresent() ? request.query().top() : USUAL_TOP;
    Future<Holds> known = holds.of(List.of(request.path().collection()));
    return operations
        .get(request.path().job())
        .compose(
            job ->
                Future.all(calendars.of(job.definition()), known)
                    .map(
                        both ->
                            ApiResponse.json(
                                200,
                                forecast(job, both.resultAt(0))
                                    .document(
                                        top,
                                        request.now(),
                                        known.result().of(job),
                                        at -> known.result().at(job.name().collection(), at)))));
  }

  /**
   * {@code POST .../validate}: whether a PUT of this document would be accepted, with a forecast.
   * Stores nothing. A refusal of the document is a result here, not a failure.
   */
  public Future<ApiResponse> validate(ApiRequest request) {
    return Future.succeededFuture()
        .compose(begun -> outlook(request, request.path().job(), request.now()))
        .map(
            outlook ->
                outlook.document(
                    USUAL_TOP, request.now(), Optional.empty(), at -> Optional.empty()))
        .recover(
            failure -> refusal(failure, request).map(refused -> refused.document(request.http())))
        .map(document -> ApiResponse.json(200, document));
  }

  private Future<JobForecast> outlook(ApiRequest request, JobName name, Instant now) {
    JobSubmission submission =
        request.codec().jobs().read(new JobKey(name.key()), request.body(), now);
    return operations
        .check(name, submission, request.auditContext())
        .recover(
            failure ->
                firstUse.isMade(request, failure)
                    ? Future.succeededFuture()
                    : Future.failedFuture(failure))
        .compose(admitted -> calendars.of(submission.definition()))
        .map(
            known -> {
              Exclusions exclusions =
                  submission.definition().exclusions(new JobKey(name.key()), known);
              Optional<Instant> first =
                  exclusions.isEmpty()
                      ? Optional.of(submission.first())
                      : submission.definition().timetable(now).except(exclusions).first(now);
              return new JobForecast(submission.definition(), now, first, 1, exclusions);
            });
  }

  private static JobForecast forecast(StoredJob job, CalendarDirectory known) {
    return new JobForecast(
        job.definition(),
        job.created(),
        job.next(),
        job.occurrence(),
        job.definition().exclusions(new JobKey(job.name().key()), known));
  }

  /** The refusal of the document; other failures stay failures. */
  private static Future<HttpException> refusal(Throwable failure, ApiRequest request) {
    boolean isAboutTheJob =
        failure instanceof JobException refusal
            && switch (refusal.code()) {
              case INVALID, CONFLICT -> true;
              case TOO_MANY_JOBS,
                  TOO_MANY_CHANGES,
                  JOB_NOT_FOUND,
                  COLLECTION_NOT_FOUND,
                  PRECONDITION_FAILED,
                  JOB_DAMAGED,
                  COLLECTION_DAMAGED,
                  FLOW_DAMAGED,
                  CALENDAR_DAMAGED,
                  STORE_DAMAGED,
                  STORE_UNAVAILABLE ->
                  false;
            };
    return isAboutTheJob
        ? Future.succeededFuture(ErrorMapping.refusal(failure, request.http()))
        : Future.failedFuture(failure);
  }
}
