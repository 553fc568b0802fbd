package carillon.api;

import carillon.access.Identity;
import carillon.codec.Dialect;
import carillon.codec.Limits;
import carillon.codec.TargetRule;
import carillon.codec.Wire;
import carillon.job.CollectionDefinition.State;
import carillon.job.Excerpt;
import carillon.store.Stores;
import carillon.vault.Vault;
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
final class Resources {
  private final InstantSource clock;
  private final Doors doors;
  private final ArmEnvelope envelope;
  private final ProviderRoutes providers = new ProviderRoutes();
  private final Wire nativeWire;
  private final Wire armWire;
  private final CollectionRoutes collections;
  private final JobRoutes jobs;
  private final HistoryRoutes history;
  private final SearchRoute search;
  private final OutlookRoutes outlook;
  private final Classic classic;

  Resources(
      Stores stores,
      EventBus bus,
      InstantSource clock,
      Limits limits,
      ArmEnvelope envelope,
      String region,
      Intake intake,
      Vault vault,
      TargetRule targets,
      Doors doors) {
    this.doors = doors;
    this.clock = clock;
    this.envelope = envelope;
    this.nativeWire = Wire.of(Dialect.NATIVE, limits, targets);
    this.armWire = Wire.of(Dialect.ARM, Limits.documented(limits.minRetryInterval()), targets);
    JobOperations operations = new JobOperations(stores, bus, intake);
    CollectionOperations all = new CollectionOperations(stores, vault);
    this.collections = new CollectionRoutes(stores.collections(), all);
    this.jobs = new JobRoutes(operations, stores.lists());
    this.history = new HistoryRoutes(operations, stores.lists());
    this.search = new SearchRoute(operations, stores);
    this.outlook = new OutlookRoutes(operations);
    this.classic = new Classic(stores, all, operations, jobs, limits, region, targets, doors);
  }

  /** Fails as the routes do, or with an {@link HttpRefusal}. */
  Future<Answer> answer(
      HttpServerRequest http, Optional<Buffer> body, Identity caller, Visit visit) {
    Optional<ResourcePath> path = ResourcePath.parse(http.path());
    if (path.isEmpty()) {
      return ClassicPath.parse(http.path())
          .map(other -> classic(http, body, other, caller, visit))
          .orElseGet(() -> provider(http, caller, visit));
    }
    visit.leadsTo(path.get().dialect(), path.get().kind());
    if (path.get().dialect() == Dialect.ARM) {
      return arm(http, body, path.get(), caller, visit);
    }
    Query query = Query.parse(http.query());
    checkGate(caller, path.get(), http);
    return route(new ApiRequest(http, body, path.get(), query, nativeWire, caller, visit, now()));
  }

  /** What is answered where it is not known who asks, as the dialect of the path has it. */
  Answer refusal(Throwable failure, HttpServerRequest http) {
    Optional<ClassicPath> other = Classic.at(http.path());
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

  private Future<Answer> arm(
      HttpServerRequest http,
      Optional<Buffer> body,
      ResourcePath path,
      Identity caller,
      Visit visit) {
    Instant now = now();
    return enveloped(
        http,
        path.subscription(),
        now,
        () -> checkGate(caller, path, http),
        query -> {
          ArmEnvelope.checkVersion(query);
          return route(new ApiRequest(http, body, path, query, armWire, caller, visit, now));
        });
  }

  private Future<Answer> classic(
      HttpServerRequest http,
      Optional<Buffer> body,
      ClassicPath path,
      Identity caller,
      Visit visit) {
    visit.leadsTo(Dialect.CLASSIC, path.leadsTo());
    return classic.answer(http, body, path, caller, visit, now());
  }

  private Future<Answer> provider(HttpServerRequest http, Identity caller, Visit visit) {
    ProviderPath path =
        ProviderPath.parse(http.path())
            .orElseThrow(() -> HttpRefusal.notFound(Excerpt.of(http.path())));
    visit.leadsTo(Dialect.ARM, path.kind());
    return enveloped(
        http,
        path.subscription(),
        now(),
        () ->
            Gate.check(
                caller, Demands.of(path), () -> HttpRefusal.notFound(Excerpt.of(http.path()))),
        query -> {
          ArmEnvelope.checkManagerVersion(query);
          return Future.succeededFuture(providers.answer(http, path));
        });
  }

  /**
   * Errors carry ARM's headers as well. Whoever may not ask takes nothing from the budget of the
   * subscription, and is not told what is left of it.
   */
  private Future<Answer> enveloped(
      HttpServerRequest http,
      String subscription,
      Instant now,
      Runnable gate,
      Function<Query, Future<Answer>> work) {
    Map<String, String> headers = envelope.headers(http, now);
    return Attempt.of(
            () -> {
              gate.run();
              envelope.charge(http, subscription, now, headers);
              return work.apply(Query.parse(http.query()));
            })
        .otherwise(failure -> ArmEnvelope.refusal(failure, http))
        .map(answer -> answer.with(headers));
  }

  private Instant now() {
    return clock.instant();
  }

  private static void checkGate(Identity caller, ResourcePath path, HttpServerRequest http) {
    Gate.check(caller, Demands.of(path, http.method().name()), Demands.hidden(path));
  }

  private Future<Answer> route(ApiRequest request) {
    if (request.path().kind() != ResourcePath.Kind.COLLECTIONS) {
      doors.countCollection(request.path().collection().key(), request.now());
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
