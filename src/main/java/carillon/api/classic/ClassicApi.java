package carillon.api.classic;

import carillon.access.Caller;
import carillon.api.http.AdmissionLimits;
import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.Attempt;
import carillon.api.http.AuthenticationHandler;
import carillon.api.http.ErrorMapping;
import carillon.api.http.HttpException;
import carillon.api.http.QueryParameters;
import carillon.api.http.RequestTelemetry;
import carillon.api.http.ResourcePath;
import carillon.api.jobs.CollectionOperations;
import carillon.api.jobs.JobOperations;
import carillon.api.jobs.JobRoutes;
import carillon.job.JobException;
import carillon.job.Quoted;
import carillon.json.Dialect;
import carillon.json.DialectCodec;
import carillon.json.SubmissionLimits;
import carillon.json.TargetPolicy;
import carillon.store.Stores;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The classic dialect, Azure's service management API: what stands around its requests. A cloud
 * service is a resource group, and its collections and jobs are those of the other dialects.
 */
public final class ClassicApi {
  private static final Pattern XML =
      Pattern.compile(
          "(application|text)/([a-z.-]+\\+)?xml\\s*"
              + "(;\\s*[a-z-]+\\s*=\\s*\"?[a-z0-9-]+\"?\\s*){0,8}");

  private static final String VERSION = "x-ms-version";

  private final DialectCodec wire;
  private final String region;
  private final CloudServiceRoutes services;
  private final ClassicCollectionRoutes collections;
  private final ClassicJobRoutes jobs;
  private final AdmissionLimits admission;

  public ClassicApi(
      Stores stores,
      CollectionOperations collections,
      JobOperations operations,
      JobRoutes jobs,
      SubmissionLimits limits,
      String region,
      TargetPolicy targets,
      AdmissionLimits admission) {
    this.admission = admission;
    this.wire =
        DialectCodec.of(
            Dialect.CLASSIC, SubmissionLimits.documented(limits.minRetryInterval()), targets);
    this.region = region;
    ClassicXmlWriter xml = new ClassicXmlWriter(region);
    CloudServices all = new CloudServices(stores, collections);
    this.services = new CloudServiceRoutes(all, xml);
    this.collections = new ClassicCollectionRoutes(all, stores.collections(), collections, xml);
    this.jobs = new ClassicJobRoutes(jobs, operations, stores.lists());
  }

  /** Whether the path is of this dialect. */
  public static boolean isAt(String path) {
    return at(path).isPresent();
  }

  /** The path, if it is of this dialect. */
  public static Optional<ClassicPath> at(String path) {
    try {
      return path != null && path.startsWith("/") ? ClassicPath.parse(path) : Optional.empty();
    } catch (JobException e) {
      return Optional.empty(); // it cannot be decoded, and whoever is to answer it will say so
    }
  }

  /** Does not fail: refusals are answers, with the headers of this dialect. */
  public Future<ApiResponse> answer(
      HttpServerRequest http,
      Optional<Buffer> body,
      ClassicPath path,
      Caller caller,
      RequestTelemetry telemetry,
      Instant now) {
    return Attempt.of(() -> route(http, body, path, caller, telemetry, now))
        .map(response -> response.with(headers(path.subscription(), response.status())))
        .otherwise(failure -> refusal(failure, http, path));
  }

  /** A refusal, with the headers of this dialect. */
  public ApiResponse refusal(Throwable failure, HttpServerRequest http, ClassicPath path) {
    ApiResponse response = ClassicErrors.answer(ErrorMapping.refusal(failure, http), path.isXml());
    return response.with(headers(path.subscription(), response.status()));
  }

  private Map<String, String> headers(String subscription, int status) {
    return Map.of(
        "Cache-Control", "no-cache",
        "Pragma", "no-cache",
        "Expires", "-1",
        "x-ms-servedbyregion", region,
        "x-ms-request-id", ClassicRequestId.of(subscription, status));
  }

  private Future<ApiResponse> route(
      HttpServerRequest http,
      Optional<Buffer> body,
      ClassicPath path,
      Caller caller,
      RequestTelemetry telemetry,
      Instant now) {
    AuthenticationHandler.check(
        caller,
        ClassicPermissions.of(path, http.method().name()),
        ClassicPermissions.hidden(path, http.path()));
    path.resource().ifPresent(of -> admission.countCollection(of.collection().key(), now));
    checkVersion(http);
    checkType(http, path);
    QueryParameters query = QueryParameters.parse(http.query());
    if (path.kind() == ClassicPath.Kind.JOBS) {
      ResourcePath resource = path.resource().orElseThrow();
      return jobs.answer(new ApiRequest(http, body, resource, query, wire, caller, telemetry, now));
    }
    return route(new ClassicRequest(http, body, path, query, caller, now));
  }

  private Future<ApiResponse> route(ClassicRequest request) {
    return switch (request.path().kind()) {
      case CLOUD_SERVICES -> services.all(request);
      case CLOUD_SERVICE -> services.one(request);
      case COLLECTIONS -> collections.collections(request);
      case COLLECTION ->
          collections.collection(request, request.path().resource().orElseThrow().collection());
      case ENTITLEMENT -> Future.succeededFuture(ClassicProviderRoutes.entitle(request));
      case OPERATION -> Future.succeededFuture(ClassicProviderRoutes.operation(request));
      case REGISTRATION -> Future.succeededFuture(ClassicProviderRoutes.register(request));
      case PROVIDER -> Future.succeededFuture(ClassicProviderRoutes.properties(request));
      case JOBS, UNKNOWN -> throw HttpException.notFound(Quoted.of(request.http().path()));
    };
  }

  /** Every version was spoken alike, so that any will do. */
  private static void checkVersion(HttpServerRequest http) {
    String version = http.getHeader(VERSION);
    if (version == null || version.isBlank()) {
      throw ClassicErrors.badRequest(
          "MissingOrIncorrectVersionHeader",
          "x-ms-version: this header is missing; send a version such as 2013-03-01.");
    }
  }

  /** Whether a Content-Type says that a body is XML. */
  public static boolean isXml(String type) {
    return XML.matcher(type.trim().toLowerCase(Locale.ROOT)).matches();
  }

  private static void checkType(HttpServerRequest http, ClassicPath path) {
    String type = http.getHeader(HttpHeaders.CONTENT_TYPE);
    boolean hasBody = http.bytesRead() > 0;
    if (type != null && hasBody && isXml(type) != path.isXml()) {
      throw HttpException.unsupported(
          path.isXml()
              ? "The body must be XML in UTF-8; send 'Content-Type: application/xml'."
              : "The body must be JSON in UTF-8; send 'Content-Type: application/json'.");
    }
  }
}
