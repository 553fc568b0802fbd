package carillon.api.resources;

import carillon.access.Role;
import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.EtagPreconditions;
import carillon.api.http.FlowAccess;
import carillon.flow.Flow;
import carillon.json.view.FlowCodec;
import carillon.json.view.FlowEventCodec;
import carillon.store.resource.FlowStore;
import io.vertx.core.Future;
import java.util.Optional;

/** Handlers of flows. */
public final class FlowRoutes {
  private final FlowOperations operations;
  private final FlowStore store;

  public FlowRoutes(FlowOperations operations, FlowStore store) {
    this.operations = operations;
    this.store = store;
  }

  /** Lists the flows of a group by name. */
  public Future<ApiResponse> list(ApiRequest request) {
    FlowAccess access = FlowAccess.of(request, Role.READER);
    return store
        .found()
        .map(
            found -> {
              found.values().removeIf(flow -> !access.sees(flow));
              return ResourcePage.of(request, found, flow -> flow);
            })
        .map(
            page ->
                ApiResponse.json(
                    200,
                    FlowCodec.page(
                        page.resources().stream()
                            .map(flow -> access.shown(flow.at(request.now())))
                            .toList(),
                        page.damaged(),
                        page.nextLink())));
  }

  /** Answers one flow with its state. */
  public Future<ApiResponse> get(ApiRequest request) {
    FlowAccess access = FlowAccess.of(request, Role.READER);
    return operations
        .get(request.path().flow(), access, request.now())
        .compose(
            flow ->
                store
                    .state(flow.name(), request.now())
                    .map(
                        state ->
                            ApiResponse.json(
                                    200,
                                    FlowCodec.answer(
                                        access.shown(flow),
                                        access.isShared(flow.definition())
                                            ? state.withoutDestinations()
                                            : state))
                                .withRevision(flow.revision())));
  }

  /** Creates or replaces a flow. */
  public Future<ApiResponse> put(ApiRequest request) {
    return operations
        .put(
            request.path().flow(),
            FlowCodec.read(request.body(), request.path().flow()),
            FlowAccess.of(request, Role.WRITER),
            EtagPreconditions.ofWrite(request.http()),
            request.auditContext())
        .map(put -> answer(put.created() ? 201 : 200, put.flow()));
  }

  private static ApiResponse answer(int status, Flow flow) {
    return ApiResponse.json(status, FlowCodec.answer(flow)).withRevision(flow.revision());
  }

  /** Changes the parts in the document. */
  public Future<ApiResponse> patch(ApiRequest request) {
    return operations
        .patch(
            request.path().flow(),
            request.body(),
            FlowAccess.of(request, Role.WRITER),
            EtagPreconditions.ofWrite(request.http()),
            request.auditContext())
        .map(flow -> answer(200, flow));
  }

  /** Deletes a flow. */
  public Future<ApiResponse> delete(ApiRequest request) {
    return operations
        .delete(
            request.path().flow(),
            FlowAccess.of(request, Role.WRITER),
            EtagPreconditions.ofWrite(request.http()),
            request.auditContext())
        .map(existed -> ApiResponse.empty(existed ? 200 : 204));
  }

  /** Stops the calls of a flow. */
  public Future<ApiResponse> pause(ApiRequest request) {
    return setPause(
        request,
        Optional.of(FlowCodec.readPause(request.body(), request.now(), request.caller().text())));
  }

  /** Resumes the calls of a flow. */
  public Future<ApiResponse> resume(ApiRequest request) {
    return setPause(request, Optional.empty());
  }

  private Future<ApiResponse> setPause(ApiRequest request, Optional<Flow.FlowPause> pause) {
    return operations
        .pause(
            request.path().flow(),
            pause,
            FlowAccess.of(request, Role.OPERATOR),
            EtagPreconditions.ofWrite(request.http()),
            request.auditContext())
        .map(flow -> answer(200, flow));
  }

  /** Resets the limits of a flow. */
  public Future<ApiResponse> reset(ApiRequest request) {
    return operations
        .reset(request.path().flow(), FlowAccess.of(request, Role.OPERATOR), request.auditContext())
        .map(done -> ApiResponse.empty(200));
  }

  /** Answers the log of a flow. */
  public Future<ApiResponse> log(ApiRequest request) {
    return operations
        .log(request.path().flow(), FlowAccess.of(request, Role.READER), request.now())
        .map(events -> ApiResponse.json(200, FlowEventCodec.page(events)));
  }
}
