package carillon.api.jobs;

import carillon.access.AuditEntry.AuditContext;
import carillon.api.http.EtagPreconditions;
import carillon.bus.Messages;
import carillon.bus.Messages.FlowsChanged;
import carillon.flow.Flow;
import carillon.flow.Flow.FlowPause;
import carillon.flow.FlowDefinition;
import carillon.flow.FlowEvent;
import carillon.flow.FlowEvent.What;
import carillon.flow.FlowName;
import carillon.job.JobDefinition;
import carillon.job.Precondition;
import carillon.json.view.FlowCodec;
import carillon.store.ChangeRetries;
import carillon.store.Stores;
import carillon.store.job.AuditLog;
import carillon.store.job.ChangeNotices;
import carillon.store.node.FormatGuard;
import carillon.store.resource.FlowStore;
import carillon.store.resource.ResourceStore.FoundResource;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Operations of clients on flows: written, noted in the audit log, and told to all nodes; the timer
 * of this one knows of a change before it is answered.
 */
final class FlowOperations {
  private static final Logger LOG = LoggerFactory.getLogger(FlowOperations.class);
  private static final String WHAT = "flow";

  private final FlowStore flows;
  private final AuditLog audit;
  private final ChangeNotices notices;
  private final FormatGuard formats;
  private final EventBus bus;

  FlowOperations(Stores stores, EventBus bus) {
    this.flows = stores.resource().flows();
    this.audit = stores.job().auditLog();
    this.notices = stores.job().changeNotices();
    this.formats = stores.node().formatGuard();
    this.bus = bus;
  }

  /**
   * Creates or replaces the flow; a pause stays. Fails with PRECONDITION_FAILED, and with CONFLICT
   * while a node here does not know flows, or when there are too many.
   */
  Future<FlowStore.Put> put(
      FlowName name, FlowDefinition definition, Precondition condition, AuditContext by) {
    return formats
        .require(JobDefinition.SCHEDULE_FORMAT, WHAT)
        .compose(known -> put(name, definition, condition, by, new ChangeRetries()));
  }

  /** Replaces the very revision whose pause stays, so that none of these is lost between. */
  private Future<FlowStore.Put> put(
      FlowName name,
      FlowDefinition definition,
      Precondition condition,
      AuditContext by,
      ChangeRetries retries) {
    return flows
        .look(name)
        .compose(
            stored -> {
              Optional<Flow> found = stored.flatMap(FoundResource::resource);
              Precondition exact =
                  stored.isPresent() && found.isEmpty()
                      ? condition // which revision a damaged one has, nobody knows
                      : exact(condition, found);
              return store(
                      name, definition, found.flatMap(flow -> flow.at(by.at()).pause()), exact, by)
                  .recover(
                      failure ->
                          !exact.equals(condition) && ChangeRetries.isOvertaken(failure)
                              ? retries.again(
                                  failure, () -> put(name, definition, condition, by, retries))
                              : Future.failedFuture(failure));
            });
  }

  /** The condition, narrowed to what was found. */
  private static Precondition exact(Precondition condition, Optional<Flow> found) {
    return switch (condition.kind()) {
      case NONE ->
          found.map(flow -> Precondition.revision(flow.revision())).orElse(Precondition.ABSENT);
      case PRESENT -> found.map(flow -> Precondition.revision(flow.revision())).orElse(condition);
      case ABSENT, REVISION -> condition;
    };
  }

  private Future<FlowStore.Put> store(
      FlowName name,
      FlowDefinition definition,
      Optional<FlowPause> pause,
      Precondition condition,
      AuditContext by) {
    return flows
        .put(name, definition, pause, condition, by.at())
        .compose(put -> noted(name, put.before(), Optional.of(put.flow()), by).map(put));
  }

  private Future<Void> noted(
      FlowName name, Optional<Flow> before, Optional<Flow> after, AuditContext by) {
    return Future.all(
            notices.add(ChangeNotices.Kind.FLOW, name.key()),
            Messages.FLOWS_CHANGED.toOneAndWait(bus, new FlowsChanged(name.key())),
            audit.note(
                by,
                object(name),
                before.map(FlowOperations::text),
                after.map(FlowOperations::text)))
        .mapEmpty();
  }

  /** The name of a flow in the audit log, which no collection can have. */
  private static String object(FlowName name) {
    return WHAT + ":" + name.key();
  }

  private static String text(Flow flow) {
    return FlowCodec.write(flow.definition(), flow.pause());
  }

  /** Gives the flow another definition. Fails as {@link #change} does, and with INVALID. */
  Future<Flow> patch(FlowName name, byte[] change, Precondition condition, AuditContext by) {
    return change(
            name,
            condition,
            by,
            current ->
                with(current, FlowCodec.patch(current.definition(), change, name), current.pause()))
        .map(Changed::flow);
  }

  /** Stops its calls, or lets them go on where there is no pause. Fails as {@link #change} does. */
  Future<Flow> pause(
      FlowName name, Optional<FlowPause> pause, Precondition condition, AuditContext by) {
    What what = pause.isPresent() ? What.PAUSED : What.RESUMED;
    return change(name, condition, by, current -> with(current, current.definition(), pause))
        .compose(
            changed ->
                (changed.isWritten ? logged(name, what, pause, by) : Future.succeededFuture())
                    .map(done -> changed.flow));
  }

  private Future<Void> logged(
      FlowName name, What what, Optional<FlowPause> pause, AuditContext by) {
    LOG.atInfo()
        .addKeyValue("flow", name.key())
        .addKeyValue("what", what.word())
        .addKeyValue("by", by.by())
        .log("client has changed a flow");
    return flows.log(name.key(), FlowEvent.ofClient(by.at(), what, by.by(), pause));
  }

  /** What happened to the flow, the newest first. Fails with JOB_NOT_FOUND. */
  Future<List<FlowEvent>> log(FlowName name, Instant now) {
    return get(name, now).compose(flow -> flows.log(name, now));
  }

  private static Flow with(Flow flow, FlowDefinition definition, Optional<FlowPause> pause) {
    return new Flow(
        flow.name(), definition, pause, flow.revision(), flow.created(), flow.modified());
  }

  /**
   * Flow after a change.
   *
   * @param isWritten false where it was so already
   */
  private record Changed(Flow flow, boolean isWritten) {}

  /** Fails with JOB_NOT_FOUND, PRECONDITION_FAILED. */
  private Future<Changed> change(
      FlowName name, Precondition condition, AuditContext by, Function<Flow, Flow> change) {
    return new ChangeRetries()
        .repeat(
            failure -> ChangeRetries.isOvertaken(failure, condition),
            () -> tryChange(name, condition, by, change));
  }

  private Future<Changed> tryChange(
      FlowName name, Precondition condition, AuditContext by, Function<Flow, Flow> change) {
    return get(name, by.at())
        .compose(
            current -> {
              EtagPreconditions.check(condition, current.revision(), "Flow '" + name.flow() + "'");
              Flow changed = change.apply(current);
              return changed.equals(current)
                  ? Future.succeededFuture(new Changed(current, false))
                  : store(
                          current.name(),
                          changed.definition(),
                          changed.pause(),
                          Precondition.revision(current.revision()),
                          by)
                      .map(put -> new Changed(put.flow(), true));
            });
  }

  /** The flow as it is now. Fails with JOB_NOT_FOUND or FLOW_DAMAGED. */
  Future<Flow> get(FlowName name, Instant now) {
    return flows.find(name).map(found -> found.orElseThrow(() -> flows.notFound(name)).at(now));
  }

  /** Lets its limits begin anew. Fails with JOB_NOT_FOUND. */
  Future<Void> reset(FlowName name, AuditContext by) {
    return get(name, by.at())
        .compose(flow -> flows.reset(name))
        .compose(reset -> noted(name, Optional.empty(), Optional.empty(), by))
        .compose(noted -> logged(name, What.RESET, Optional.empty(), by));
  }

  /**
   * Deletes the flow; what waits for it goes on without limits.
   *
   * @return false when there was none; fails with PRECONDITION_FAILED
   */
  Future<Boolean> delete(FlowName name, Precondition condition, AuditContext by) {
    return flows
        .delete(name, condition, by.at())
        .compose(
            deleted ->
                deleted.isPresent()
                    ? noted(name, deleted.get().resource(), Optional.empty(), by).map(true)
                    : Future.succeededFuture(false));
  }
}
