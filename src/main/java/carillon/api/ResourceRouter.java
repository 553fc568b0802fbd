package carillon.api;

import carillon.access.Caller;
import carillon.api.classic.ClassicApi;
import carillon.api.classic.ClassicPath;
import carillon.api.http.AdmissionLimits;
import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.ArmEnvelope;
import carillon.api.http.Attempt;
import carillon.api.http.AuthenticationHandler;
import carillon.api.http.ErrorMapping;
import carillon.api.http.HttpException;
import carillon.api.http.ProviderPath;
import carillon.api.http.ProviderRoutes;
import carillon.api.http.QueryParameters;
import carillon.api.http.RequestTelemetry;
import carillon.api.http.ResourcePath;
import carillon.api.http.RoutePermissions;
import carillon.api.jobs.CollectionOperations;
import carillon.api.jobs.CollectionRoutes;
import carillon.api.jobs.ForecastRoutes;
import carillon.api.jobs.HistoryRoutes;
import carillon.api.jobs.JobOperations;
import carillon.api.jobs.JobRoutes;
import carillon.api.jobs.SearchRoute;
import carillon.api.jobs.SubmissionSealer;
import carillon.job.CollectionDefinition.State;
import carillon.job.Quoted;
import carillon.json.Dialect;
import carillon.json.DialectCodec;
import carillon.json.SubmissionLimits;
import carillon.json.TargetPolicy;
import carillon.secret.Vault;
import carillon.store.Stores;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Finds out which resource a request means, and in which dialect, and lets its routes answer. */
final class ResourceRouter {
  private final InstantSource clock;
  private final AdmissionLimits admission;
  private final ArmEnvelope envelope;
  private final ProviderRoutes providers = new ProviderRoutes();
  private final DialectCodec nativeWire;
  private final DialectCodec armWire;
  private final CollectionRoutes collections;
  private final JobRoutes jobs;
  private final HistoryRoutes history;
  private final SearchRoute search;
  private final ForecastRoutes outlook;
  private final ClassicApi classic;

  ResourceRouter(
      Stores stores,
      EventBus bus,
      InstantSource clock,
      SubmissionLimits limits,
      ArmEnvelope envelope,
      String region,
      SubmissionSealer intake,
      Vault vault,
      TargetPolicy targets,
      AdmissionLimits admission) {
    this.admission = admission;
    this.clock = clock;
    this.envelope = envelope;
    this.nativeWire = DialectCodec.of(Dialect.NATIVE, limits, targets);
    this.armWire =
        DialectCodec.of(
            Dialect.ARM, SubmissionLimits.documented(limits.minRetryInterval()), targets);
    JobOperations operations = new JobOperations(stores, bus, intake);
    CollectionOperations all = new CollectionOperations(stores, vault);
    this.collections = new CollectionRoutes(stores.collections(), all);
    this.jobs = new JobRoutes(operations, stores.lists());
    this.history = new HistoryRoutes(operations, stores.lists());
    this.search = new SearchRoute(operations, stores);
    this.outlook = new ForecastRoutes(operations);
    this.classic =
        new ClassicApi(stores, all, operations, jobs, limits, region, targets, admission);
  }

  /** Fails as the routes do, or with an {@link HttpException}. */
  Future<ApiResponse> answer(
      HttpServerRequest http, Optional<Buffer> body, Caller caller, RequestTelemetry telemetry) {
    Optional<ResourcePath> path = ResourcePath.parse(http.path());
    if (path.isEmpty()) {
      return ClassicPath.parse(http.path())
          .map(other -> classic(http, body, other, caller, telemetry))
          .orElseGet(() -> provider(http, caller, telemetry));
    }
    telemetry.leadsTo(path.get().dialect(), path.get().kind());
    if (path.get().dialect() == Dialect.ARM) {
      return arm(http, body, path.get(), caller, telemetry);
    }
    QueryParameters query = QueryParameters.parse(http.query());
    checkGate(caller, path.get(), http);
    return route(
        new ApiRequest(http, body, path.get(), query, nativeWire, caller, telemetry, now()));
  }

  /** What is answered where it is not known who asks, as the dialect of the path has it. */
  ApiResponse refusal(Throwable failure, HttpServerRequest http) {
    Optional<ClassicPath> other = ClassicApi.at(http.path());
    if (other.isPresent()) {
      return classic.refusal(failure, http, other.get());
    }
    return isArm(http.path())
        ? ArmEnvelope.refusal(failure, http).with(envelope.headers(http, now()))
        : ErrorMapping.answer(failure, http);
  }

  private static boolean isArm(String path) {
    String folded = String.valueOf(path).toLowerCase(Locale.ROOT);
    return folded.startsWith("/subscriptions/") || folded.startsWith("/providers/");
  }

  private Future<ApiResponse> arm(
      HttpServerRequest http,
      Optional<Buffer> body,
      ResourcePath path,
      Caller caller,
      RequestTelemetry telemetry) {
    Instant now = now();
    return enveloped(
        http,
        path.subscription(),
        now,
        () -> checkGate(caller, path, http),
        query -> {
          ArmEnvelope.checkVersion(query);
          return route(new ApiRequest(http, body, path, query, armWire, caller, telemetry, now));
        });
  }

  private Future<ApiResponse> classic(
      HttpServerRequest http,
      Optional<Buffer> body,
      ClassicPath path,
      Caller caller,
      RequestTelemetry telemetry) {
    telemetry.leadsTo(Dialect.CLASSIC, path.leadsTo());
    return classic.answer(http, body, path, caller, telemetry, now());
  }

  private Future<ApiResponse> provider(
      HttpServerRequest http, Caller caller, RequestTelemetry telemetry) {
    ProviderPath path =
        ProviderPath.parse(http.path())
            .orElseThrow(() -> HttpException.notFound(Quoted.of(http.path())));
    telemetry.leadsTo(Dialect.ARM, path.kind());
    return enveloped(
        http,
        path.subscription(),
        now(),
        () ->
            AuthenticationHandler.check(
                caller,
                RoutePermissions.of(path),
                () -> HttpException.notFound(Quoted.of(http.path()))),
        query -> {
          ArmEnvelope.checkManagerVersion(query);
          return Future.succeededFuture(providers.answer(http, path));
        });
  }

  /**
   * Errors carry ARM's headers as well. Whoever may not ask takes nothing from the budget of the
   * subscription, and is not told what is left of it.
   */
  private Future<ApiResponse> enveloped(
      HttpServerRequest http,
      String subscription,
      Instant now,
      Runnable gate,
      Function<QueryParameters, Future<ApiResponse>> work) {
    Map<String, String> headers = envelope.headers(http, now);
    return Attempt.of(
            () -> {
              gate.run();
              envelope.charge(http, subscription, now, headers);
              return work.apply(QueryParameters.parse(http.query()));
            })
        .otherwise(failure -> ArmEnvelope.refusal(failure, http))
        .map(response -> response.with(headers));
  }

  private Instant now() {
    return clock.instant();
  }

  private static void checkGate(Caller caller, ResourcePath path, HttpServerRequest http) {
    AuthenticationHandler.check(
        caller, RoutePermissions.of(path, http.method().name()), RoutePermissions.hidden(path));
  }

  private Future<ApiResponse> route(ApiRequest request) {
    if (request.path().kind() != ResourcePath.Kind.COLLECTIONS) {
      admission.countCollection(request.path().collection().key(), request.now());
    }
    return switch (request.path().kind()) {
      case COLLECTIONS -> collections.collections(request);
      case COLLECTION -> collections.collection(request);
      case COLLECTION_ENABLE -> collections.gate(request, State.ENABLED);
      case COLLECTION_DISABLE -> collections.gate(request, State.DISABLED);
      case COLLECTION_SEARCH -> search.search(request);
      case JOBS -> jobs.jobs(request);
      case JOB -> jobs.job(request);
      case JOB_RUN -> jobs.run(request);
      case JOB_ENABLE -> jobs.enable(request);
      case JOB_DISABLE -> jobs.disable(request);
      case JOB_OCCURRENCES -> outlook.occurrences(request);
      case JOB_VALIDATE -> outlook.validate(request);
      case HISTORY -> history.history(request);
      case HISTORY_ENTRY -> history.entry(request);
    };
  }
}
