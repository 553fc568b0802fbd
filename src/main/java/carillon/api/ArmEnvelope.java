package carillon.api;

import io.vertx.core.http.HttpServerRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * What Azure Resource Manager put around the provider: api-version, and headers that name requests.
 */
final class ArmEnvelope {
  private static final String API_VERSION = "api-version";
  private static final Set<String> VERSIONS =
      Set.of("2014-08-01-preview", "2016-01-01", "2016-03-01");

  /** What a client may have echoed back to it. */
  private static final Pattern ECHOED = Pattern.compile("[!-~]{1,128}");

  private ArmEnvelope() {}

  static void checkVersion(Query query) {
    String version = query.text(API_VERSION).filter(text -> !text.isEmpty()).orElse(null);
    if (version == null) {
      throw HttpRefusal.badRequest(
          "MissingApiVersionParameter",
          "The api-version query parameter (?api-version=) is required for all requests.");
    }
    if (!VERSIONS.contains(version)) {
      throw HttpRefusal.badRequest(
          "InvalidApiVersionParameter",
          "The api-version is invalid. The supported versions are '2014-08-01-preview,2016-01-01,"
              + "2016-03-01'.");
    }
  }

  static Map<String, String> headers(HttpServerRequest request) {
    String id = UUID.randomUUID().toString();
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Cache-Control", "no-cache");
    headers.put("Pragma", "no-cache");
    headers.put("Expires", "-1");
    headers.put("x-ms-request-id", id);
    headers.put(
        "x-ms-correlation-request-id", echoed(request, "x-ms-correlation-request-id").orElse(id));
    if ("true".equalsIgnoreCase(request.getHeader("x-ms-return-client-request-id"))) {
      echoed(request, "x-ms-client-request-id")
          .ifPresent(client -> headers.put("x-ms-client-request-id", client));
    }
    return headers;
  }

  private static Optional<String> echoed(HttpServerRequest request, String name) {
    return Optional.ofNullable(request.getHeader(name))
        .filter(value -> ECHOED.matcher(value).matches());
  }
}
