package carillon.api.jobs;

import carillon.flow.FlowName;
import carillon.job.JobDefinition;
import carillon.job.action.Action;
import carillon.job.action.Destination;
import carillon.job.name.CollectionName;
import carillon.job.name.JobException;
import carillon.job.name.JobName;
import carillon.job.name.Quoted;
import carillon.store.Stores;
import carillon.store.resource.FlowStore;
import io.vertx.core.Future;
import java.util.Map;

/**
 * Checks, before a job is stored, that Redis holds the resources that its submission names.
 * Confined to an event loop.
 */
final class SubmissionChecks {
  private final FlowStore flows;

  SubmissionChecks(Stores stores) {
    this.flows = stores.resource().flows();
  }

  /**
   * Checks that the flows of a definition exist and admit its calls. Fails with INVALID, or
   * FLOW_DAMAGED.
   *
   * @param former actions that passed a flow before, which may have been deleted or changed since
   */
  Future<Void> checkFlows(JobName job, JobDefinition definition, Map<String, Action> former) {
    Future<Void> checked = Future.succeededFuture();
    for (Map.Entry<String, Action> each : definition.actionsInFlows().entrySet()) {
      if (!isAsBefore(each.getValue(), former.get(each.getKey()))) {
        checked =
            checked.compose(known -> checkFlow(job.collection(), each.getKey(), each.getValue()));
      }
    }
    return checked;
  }

  private static boolean isAsBefore(Action action, Action former) {
    return former != null
        && action.flow().equals(former.flow())
        && action.call().destination().equals(former.call().destination());
  }

  private Future<Void> checkFlow(CollectionName collection, String field, Action action) {
    String name = action.flow().orElseThrow();
    return flows
        .find(new FlowName(collection.subscription(), collection.group(), name))
        .map(
            found -> {
              if (found.isEmpty()) {
                throw JobException.invalid(
                    field + ": '" + name + "' names no flow; create it first");
              }
              Destination called = action.call().destination();
              if (!found.get().definition().admits(collection.collection(), called)) {
                throw JobException.invalid(
                    field
                        + ": '"
                        + name
                        + "' does not admit this call: its match must fit the destination "
                        + Quoted.of(called.authority())
                        + ", or its collections must include "
                        + collection.collection());
              }
              return null;
            });
  }
}
