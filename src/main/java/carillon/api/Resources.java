package carillon.api;

import carillon.codec.Dialect;
import carillon.codec.Limits;
import carillon.codec.TargetRule;
import carillon.codec.Wire;
import carillon.job.CollectionDefinition.State;
import carillon.job.Excerpt;
import carillon.store.Stores;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** Finds out which resource a request means, and in which dialect, and lets its routes answer. */
final class Resources {
  private final InstantSource clock;
  private final Wire nativeWire;
  private final Wire armWire;
  private final CollectionRoutes collections;
  private final JobRoutes jobs;
  private final HistoryRoutes history;

  Resources(Stores stores, EventBus bus, InstantSource clock, Limits limits, TargetRule targets) {
    this.clock = clock;
    this.nativeWire = Wire.of(Dialect.NATIVE, limits, targets);
    this.armWire = Wire.of(Dialect.ARM, Limits.documented(limits.minRetryInterval()), targets);
    JobOperations operations = new JobOperations(stores.jobs(), stores.collections(), bus);
    this.collections = new CollectionRoutes(stores.collections());
    this.jobs = new JobRoutes(operations, stores.lists());
    this.history = new HistoryRoutes(operations, stores.lists());
  }

  /** Fails as the routes do, or with an {@link HttpRefusal}. */
  Future<Answer> answer(HttpServerRequest http, Optional<Buffer> body) {
    ResourcePath path =
        ResourcePath.parse(http.path())
            .orElseThrow(() -> HttpRefusal.notFound(Excerpt.of(http.path())));
    return path.dialect() == Dialect.ARM
        ? arm(http, body, path)
        : route(new ApiRequest(http, body, path, Query.parse(http.query()), nativeWire, now()));
  }

  /** Errors carry ARM's headers as well. */
  private Future<Answer> arm(HttpServerRequest http, Optional<Buffer> body, ResourcePath path) {
    Map<String, String> headers = ArmEnvelope.headers(http);
    return Attempt.of(
            () -> {
              Query query = Query.parse(http.query());
              ArmEnvelope.checkVersion(query);
              return route(new ApiRequest(http, body, path, query, armWire, now()));
            })
        .otherwise(failure -> ErrorMapping.answer(failure, http))
        .map(answer -> answer.with(headers));
  }

  private Instant now() {
    return clock.instant();
  }

  private Future<Answer> route(ApiRequest request) {
    return switch (request.path().kind()) {
      case COLLECTIONS -> collections.collections(request);
      case COLLECTION -> collections.collection(request);
      case COLLECTION_ENABLE -> collections.gate(request, State.ENABLED);
      case COLLECTION_DISABLE -> collections.gate(request, State.DISABLED);
      case JOBS -> jobs.jobs(request);
      case JOB -> jobs.job(request);
      case JOB_RUN -> jobs.run(request);
      case JOB_ENABLE -> jobs.enable(request);
      case JOB_DISABLE -> jobs.disable(request);
      case HISTORY -> history.history(request);
      case HISTORY_ENTRY -> history.entry(request);
    };
  }
}
