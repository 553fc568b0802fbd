package carillon.api.classic;

import static carillon.json.text.Dialect.Switch.BARE_LISTS;
import static carillon.json.text.Dialect.Switch.CAMEL_HEADERS;
import static carillon.json.text.Dialect.Switch.ESCAPED_SLASHES;
import static carillon.json.text.Dialect.Switch.NO_STATUS_IN_CHANGES;
import static carillon.json.text.Dialect.Switch.SECONDS;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.DialectEnvelope;
import carillon.api.http.ErrorMapping;
import carillon.api.http.HttpException;
import carillon.api.http.QueryParameters;
import carillon.api.http.RequestRateLimiter;
import carillon.api.http.RoutePath;
import carillon.json.DialectCodecs;
import carillon.json.text.Dialect;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Envelope of the classic dialect, Azure's service management API: jobs are JSON, all else XML. A
 * cloud service is a resource group, and its collections and jobs are those of the other dialects.
 *
 * @param region location of this node, as in its answers
 */
public record ClassicEnvelope(
    DialectCodecs codec, RequestRateLimiter rates, String region, boolean isXml)
    implements DialectEnvelope {
  /** Flat jobs in JSON, bare arrays as lists. XML has separate readers and writers. */
  static final Dialect DIALECT =
      Dialect.of(SECONDS, BARE_LISTS, ESCAPED_SLASHES, CAMEL_HEADERS, NO_STATUS_IN_CHANGES);

  private static final Pattern XML =
      Pattern.compile(
          "(application|text)/([a-z.-]+\\+)?xml\\s*"
              + "(;\\s*[a-z-]+\\s*=\\s*\"?[a-z0-9-]+\"?\\s*){0,8}");

  private static final String VERSION = "x-ms-version";

  /** Envelope of requests for jobs, in JSON. */
  public ClassicEnvelope(DialectCodecs codec, RequestRateLimiter rates, String region) {
    this(codec, rates, region, false);
  }

  /** Envelope of all other requests, in XML. */
  ClassicEnvelope ofXml() {
    return new ClassicEnvelope(codec, rates, region, true);
  }

  @Override
  public String word() {
    return "classic";
  }

  @Override
  public boolean reads(String contentType) {
    return isXml(contentType);
  }

  @Override
  public RuntimeException hidden(ApiRequest request) {
    return ClassicErrors.noCloudService(request.path().group().orElseThrow());
  }

  @Override
  public void admit(ApiRequest request, Map<String, String> headers) {
    rates.countCollection(request);
    checkVersion(request.http());
    checkType(request.http());
    QueryParameters unused = request.query();
  }

  @Override
  public ApiResponse refusal(Throwable failure, HttpServerRequest http, RoutePath path) {
    return ClassicErrors.answer(ErrorMapping.refusal(failure, http), isXml);
  }

  @Override
  public ApiResponse withHeaders(
      ApiResponse response, RoutePath path, Map<String, String> headers) {
    return response
        .withoutNewline()
        .with(
            Map.of(
                "Cache-Control", "no-cache",
                "Pragma", "no-cache",
                "Expires", "-1",
                "x-ms-servedbyregion", region,
                "x-ms-request-id",
                    ClassicProviderRoutes.ClassicRequestId.of(
                        path.subscription(), response.status())));
  }

  /** Requires a version; all are treated alike. */
  private static void checkVersion(HttpServerRequest http) {
    String version = http.getHeader(VERSION);
    if (version == null || version.isBlank()) {
      throw ClassicErrors.badRequest(
          "MissingOrIncorrectVersionHeader",
          "x-ms-version: this header is missing; send a version such as 2013-03-01.");
    }
  }

  /** Whether a Content-Type says that a body is XML. */
  private static boolean isXml(String type) {
    return XML.matcher(type.trim().toLowerCase(Locale.ROOT)).matches();
  }

  private void checkType(HttpServerRequest http) {
    String type = http.getHeader(HttpHeaders.CONTENT_TYPE);
    boolean hasBody = http.bytesRead() > 0;
    if (type != null && hasBody && isXml(type) != isXml) {
      throw HttpException.unsupported(
          isXml
              ? "The body must be XML in UTF-8; send 'Content-Type: application/xml'."
              : "The body must be JSON in UTF-8; send 'Content-Type: application/json'.");
    }
  }
}
