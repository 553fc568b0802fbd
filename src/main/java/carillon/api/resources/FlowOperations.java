package carillon.api.resources;

import carillon.access.AuditEntry.AuditContext;
import carillon.api.http.EtagPreconditions;
import carillon.api.http.FlowAccess;
import carillon.bus.Messages;
import carillon.bus.Messages.FlowsChanged;
import carillon.flow.Flow;
import carillon.flow.Flow.FlowPause;
import carillon.flow.FlowDefinition;
import carillon.flow.FlowEvent;
import carillon.flow.FlowEvent.What;
import carillon.flow.FlowName;
import carillon.job.Precondition;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.json.view.FlowCodec;
import carillon.store.ChangeRetries;
import carillon.store.Stores;
import carillon.store.job.AuditLog;
import carillon.store.job.ChangeNotices;
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
 * Operations of clients on flows. Writes are noted in the audit log and announced to all nodes. The
 * timer of this node knows of a change before the request is answered.
 */
public final class FlowOperations {
  private static final Logger LOG = LoggerFactory.getLogger(FlowOperations.class);
  private static final String WHAT = "flow";

  /**
   * Maximum number of flows for some collections alone that a caller of these collections may make.
   */
  static final int MAX_OF_PART = 25;

  /** Revision that no flow has. */
  private static final long NEVER = -1;

  private final FlowStore flows;
  private final AuditLog audit;
  private final ChangeNotices notices;
  private final EventBus bus;

  public FlowOperations(Stores stores, EventBus bus) {
    this.flows = stores.resource().flows();
    this.audit = stores.job().auditLog();
    this.notices = stores.job().changeNotices();
    this.bus = bus;
  }

  /**
   * Creates or replaces the flow; a pause stays. Fails with PRECONDITION_FAILED, and with CONFLICT
   * when there are too many.
   */
  Future<FlowStore.Put> put(
      FlowName name,
      FlowDefinition definition,
      FlowAccess access,
      Precondition condition,
      AuditContext by) {
    access.check(Optional.of(definition));
    return put(name, definition, access, condition, by, new ChangeRetries());
  }

  /** Replaces exactly the revision whose pause is kept, so that no pause is lost in between. */
  private Future<FlowStore.Put> put(
      FlowName name,
      FlowDefinition definition,
      FlowAccess access,
      Precondition condition,
      AuditContext by,
      ChangeRetries retries) {
    return flows
        .look(name)
        .compose(
            stored -> {
              stored.ifPresent(found -> access.check(found.resource().map(Flow::definition)));
              Optional<Flow> found = stored.flatMap(FoundResource::resource);
              Precondition exact = exact(name, access, condition, stored, found);
              return (stored.isPresent() ? Future.<Void>succeededFuture() : room(access))
                  .compose(
                      free ->
                          store(
                              name,
                              definition,
                              found.flatMap(flow -> flow.at(by.at()).pause()),
                              exact,
                              by))
                  .recover(
                      failure ->
                          !exact.equals(condition) && ChangeRetries.isOvertaken(failure)
                              ? retries.again(
                                  failure,
                                  () -> put(name, definition, access, condition, by, retries))
                              : Future.failedFuture(failure));
            });
  }

  /** Fails with CONFLICT where a caller of some collections has as many flows as they may have. */
  private Future<Void> room(FlowAccess access) {
    return access.isOfGroup()
        ? Future.succeededFuture()
        : flows
            .all()
            .map(
                all -> {
                  long own = all.values().stream().filter(access::owns).count();
                  if (own >= MAX_OF_PART) {
                    throw new JobException(
                        ErrorCode.CONFLICT,
                        "Your collections have "
                            + MAX_OF_PART
                            + " flows of their own already, as many as they may have.");
                  }
                  return null;
                });
  }

  /** Returns the condition, narrowed to the flow that was found. */
  private static Precondition exact(
      FlowName name,
      FlowAccess access,
      Precondition condition,
      Optional<FoundResource<Flow>> stored,
      Optional<Flow> found) {
    if (!access.isOfGroup()) {
      return exactly(name, condition, found);
    }
    return stored.isPresent() && found.isEmpty()
        ? condition // the revision of a damaged flow is unknown
        : exact(condition, found);
  }

  /**
   * Returns the condition that the flow is still the one that was found. The caller may change no
   * other.
   */
  private static Precondition exactly(FlowName name, Precondition condition, Optional<Flow> found) {
    if (found.isPresent()) {
      EtagPreconditions.check(condition, found.get().revision(), "Flow '" + name.flow() + "'");
      return Precondition.revision(found.get().revision());
    }
    return condition.allowsNew() ? Precondition.ABSENT : Precondition.revision(NEVER);
  }

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
  Future<Flow> patch(
      FlowName name, byte[] change, FlowAccess access, Precondition condition, AuditContext by) {
    return change(
            name,
            access,
            condition,
            by,
            current ->
                with(current, FlowCodec.patch(current.definition(), change, name), current.pause()))
        .map(Changed::flow);
  }

  /**
   * Pauses the calls of the flow, or resumes them if there is no pause. Fails as {@link #change}
   * does.
   */
  Future<Flow> pause(
      FlowName name,
      Optional<FlowPause> pause,
      FlowAccess access,
      Precondition condition,
      AuditContext by) {
    What what = pause.isPresent() ? What.PAUSED : What.RESUMED;
    return change(
            name, access, condition, by, current -> with(current, current.definition(), pause))
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

  /** Returns the events of the flow, newest first. Fails with JOB_NOT_FOUND. */
  Future<List<FlowEvent>> log(FlowName name, FlowAccess access, Instant now) {
    return get(name, access, now)
        .compose(
            flow ->
                flows
                    .log(name, now)
                    .map(
                        events ->
                            access.isShared(flow.definition())
                                ? events.stream().map(FlowEvent::withoutDestination).toList()
                                : events));
  }

  private static Flow with(Flow flow, FlowDefinition definition, Optional<FlowPause> pause) {
    return new Flow(
        flow.name(), definition, pause, flow.revision(), flow.created(), flow.modified());
  }

  /**
   * Flow after a change.
   *
   * @param isWritten false if nothing changed
   */
  private record Changed(Flow flow, boolean isWritten) {}

  /** Fails with JOB_NOT_FOUND, PRECONDITION_FAILED. */
  private Future<Changed> change(
      FlowName name,
      FlowAccess access,
      Precondition condition,
      AuditContext by,
      Function<Flow, Flow> change) {
    return new ChangeRetries()
        .repeat(
            failure -> ChangeRetries.isOvertaken(failure, condition),
            () -> tryChange(name, access, condition, by, change));
  }

  private Future<Changed> tryChange(
      FlowName name,
      FlowAccess access,
      Precondition condition,
      AuditContext by,
      Function<Flow, Flow> change) {
    return get(name, access, by.at())
        .compose(
            current -> {
              access.check(Optional.of(current.definition()));
              EtagPreconditions.check(condition, current.revision(), "Flow '" + name.flow() + "'");
              Flow changed = change.apply(current);
              access.check(Optional.of(changed.definition()));
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

  /**
   * Returns the current flow. Fails with JOB_NOT_FOUND, also if the caller may not see it, or with
   * FLOW_DAMAGED.
   */
  Future<Flow> get(FlowName name, FlowAccess access, Instant now) {
    return flows
        .look(name)
        .map(found -> found.filter(access::sees).orElseThrow(() -> flows.notFound(name)))
        .map(found -> flows.readable(found).at(now));
  }

  /** Resets its limits. Fails with JOB_NOT_FOUND. */
  Future<Void> reset(FlowName name, FlowAccess access, AuditContext by) {
    return get(name, access, by.at())
        .compose(
            flow -> {
              access.check(Optional.of(flow.definition()));
              return flows.reset(name);
            })
        .compose(reset -> noted(name, Optional.empty(), Optional.empty(), by))
        .compose(noted -> logged(name, What.RESET, Optional.empty(), by));
  }

  /**
   * Deletes the flow; attempts that wait for it continue without limits.
   *
   * @return false when there was none; fails with PRECONDITION_FAILED
   */
  Future<Boolean> delete(
      FlowName name, FlowAccess access, Precondition condition, AuditContext by) {
    return access.isOfGroup()
        ? delete(name, condition, by)
        : new ChangeRetries()
            .repeat(
                failure -> ChangeRetries.isOvertaken(failure, condition),
                () -> deleteOwn(name, access, condition, by));
  }

  private Future<Boolean> deleteOwn(
      FlowName name, FlowAccess access, Precondition condition, AuditContext by) {
    return flows
        .look(name)
        .map(stored -> stored.filter(access::sees))
        .compose(
            stored -> {
              if (stored.isEmpty()) {
                return Future.succeededFuture(false);
              }
              Optional<Flow> found = stored.get().resource();
              access.check(found.map(Flow::definition));
              return delete(name, exactly(name, condition, found), by);
            });
  }

  private Future<Boolean> delete(FlowName name, Precondition condition, AuditContext by) {
    return flows
        .delete(name, condition, by.at())
        .compose(
            deleted ->
                deleted.isPresent()
                    ? noted(name, deleted.get().resource(), Optional.empty(), by).map(true)
                    : Future.succeededFuture(false));
  }
}
