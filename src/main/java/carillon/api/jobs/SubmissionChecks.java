package carillon.api.jobs;

import carillon.flow.FlowName;
import carillon.job.CollectionName;
import carillon.job.JobDefinition;
import carillon.job.JobException;
import carillon.job.JobName;
import carillon.store.Stores;
import carillon.store.node.FormatGuard;
import carillon.store.resource.FlowStore;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;

/**
 * Checks of a submission against what Redis holds, before the job is stored: that what it names is
 * there, and that every node understands it. Confined to an event loop.
 */
final class SubmissionChecks {
  private final FlowStore flows;
  private final FormatGuard formats;

  SubmissionChecks(Stores stores) {
    this.flows = stores.resource().flows();
    this.formats = stores.node().formatGuard();
  }

  /**
   * Makes sure that the flows are there that a definition names. Fails with INVALID.
   *
   * @param former flows that it named before, which may have been deleted since
   */
  Future<Void> checkFlows(JobName job, JobDefinition definition, Map<String, String> former) {
    Future<Void> checked = Future.succeededFuture();
    for (Map.Entry<String, String> named : definition.flows().entrySet()) {
      if (!former.entrySet().contains(named)) {
        checked = checked.compose(known -> checkFlow(job.collection(), named));
      }
    }
    return checked;
  }

  private Future<Void> checkFlow(CollectionName collection, Map.Entry<String, String> named) {
    String flow = named.getValue();
    return flows
        .look(new FlowName(collection.subscription(), collection.group(), flow))
        .map(
            found -> {
              if (found.isEmpty()) {
                throw JobException.invalid(
                    named.getKey() + ": '" + flow + "' names no flow; create it first");
              }
              return null;
            });
  }

  /**
   * Makes sure that every node understands what is about to be written. Fails with CONFLICT.
   *
   * @param property that a node of an earlier format would misread, if there is one
   */
  Future<Void> requireFormat(Optional<String> property) {
    return formats.require(JobDefinition.SCHEDULE_FORMAT, property);
  }

  /**
   * Makes sure that every node understands a property, where nothing is about to be written. Fails
   * with CONFLICT.
   *
   * @param property that a node of an earlier format would misread, if there is one
   */
  Future<Void> checkFormat(Optional<String> property) {
    return property
        .map(given -> formats.check(JobDefinition.SCHEDULE_FORMAT, given))
        .orElseGet(Future::succeededFuture);
  }
}
