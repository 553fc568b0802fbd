package carillon.dispatch;

import carillon.bus.Messages.PlannedAttempt;
import carillon.job.action.Action;
import carillon.job.action.ActionCall;
import carillon.job.attempt.Attempt;
import carillon.job.name.JobKey;
import carillon.job.template.CallValues;
import carillon.job.template.Template;
import carillon.job.template.Template.Word;
import carillon.store.job.JobListing;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Fills the placeholders of a call with the values of its attempt. The history of the job is read
 * only for a call that asks for the last success. Confined to the dispatcher's event loop.
 */
final class PlaceholderFiller {
  private final JobListing listing;

  PlaceholderFiller(JobListing listing) {
    this.listing = listing;
  }

  /** Returns the call to make. Fails if the history is needed and Redis does not answer. */
  Future<ActionCall> fill(PlannedAttempt planned, Action action) {
    if (!action.placeholders()) {
      return Future.succeededFuture(action.call());
    }
    Attempt attempt = planned.claim().attempt();
    return lastSuccess(attempt, action.call())
        .map(last -> CallValues.of(attempt, planned.name(), planned.definition().zone(), last))
        .map(values -> Template.fill(action.call(), values));
  }

  private Future<Optional<Instant>> lastSuccess(Attempt attempt, ActionCall call) {
    return names(call, Word.LAST_SUCCESS_AT)
        ? listing.lastSuccess(new JobKey(attempt.job()).jobName(), attempt)
        : Future.succeededFuture(Optional.empty());
  }

  private static boolean names(ActionCall call, Word word) {
    AtomicBoolean isNamed = new AtomicBoolean();
    call.mapTexts(
        (field, text, form) -> {
          isNamed.compareAndSet(false, Template.parse(text).names(word));
          return text;
        });
    return isNamed.get();
  }
}
