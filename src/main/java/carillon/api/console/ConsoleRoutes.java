package carillon.api.console;

import carillon.access.Caller;
import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.HttpException;
import carillon.api.http.QueryParameters;
import carillon.auth.RequestAuthenticator;
import carillon.job.HistoryEntry;
import carillon.job.JobKey;
import carillon.job.Quoted;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The page that a browser gets at {@code /}, the files that it loads, and what it watches. */
public final class ConsoleRoutes {
  /** Nothing from elsewhere, nothing inline, nowhere else to send anything. */
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
              + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "Cache-Control",
          "no-cache",
          "Vary",
          "Accept");

  private static final List<String> STATUSES =
      Arrays.stream(HistoryEntry.Status.values()).map(HistoryEntry.Status::word).toList();
  private static final int LONGEST_NAME = 128;

  /** What has no dot is asked of the API. */
  private static final Pattern FILE = Pattern.compile("/console/([^/]*\\.[^/]*)/?");

  private final ConsoleFiles files = new ConsoleFiles();
  private final LiveEventStream feed;
  private final RequestAuthenticator login;

  public ConsoleRoutes(LiveEventStream feed, RequestAuthenticator login) {
    this.feed = feed;
    this.login = login;
  }

  /**
   * What a browser loads before it can show a field for a key, which is nobody's data: the page
   * instead of what other clients get at its path, and its files. Empty for all other requests.
   */
  public Optional<ApiResponse> file(HttpServerRequest http) {
    if (!http.method().equals(HttpMethod.GET)) {
      return Optional.empty();
    }
    if (http.path().equals("/")) {
      return isPageWanted(http) ? Optional.of(answer(http, files.page())) : Optional.empty();
    }
    Matcher file = FILE.matcher(http.path());
    return file.matches()
        ? Optional.of(
            files
                .find(file.group(1))
                .map(found -> answer(http, found))
                .orElseGet(() -> HttpException.notFound(Quoted.of(http.path())).answer()))
        : Optional.empty();
  }

  private static boolean isPageWanted(HttpServerRequest http) {
    String accept = http.getHeader(HttpHeaders.ACCEPT);
    return accept != null && accept.toLowerCase(Locale.ROOT).contains("text/html");
  }

  /**
   * Attempts of all nodes as they end, until the client goes or may no longer see them: those of a
   * collection, with a part of a name, of a status. A stream is no answer that could be returned,
   * so the future does not complete. Fails with 400.
   */
  public Future<ApiResponse> watch(ApiRequest request) {
    QueryParameters query = request.query();
    String collection = folded(query.shortText("collection", LONGEST_NAME));
    String part = folded(query.shortText("job", LONGEST_NAME));
    String status = query.word("status", STATUSES).orElse("");
    feed.watch(
        request.http(),
        request.callerName(),
        () -> login.identify(request.http()).compose(caller -> stillAllowed(request, caller)),
        attempt -> {
          List<String> key = new JobKey(attempt.key()).parts();
          return (collection.isEmpty() || key.get(2).equals(collection))
              && key.get(3).contains(part)
              && (status.isEmpty() || attempt.entry().status().word().equals(status));
        });
    return Promise.<ApiResponse>promise().future();
  }

  private static Future<Void> stillAllowed(ApiRequest request, Caller caller) {
    request.checkPermission(caller);
    return Future.succeededFuture();
  }

  private static String folded(Optional<String> text) {
    return text.orElse("").toLowerCase(Locale.ROOT);
  }

  private static ApiResponse answer(HttpServerRequest request, ConsoleFiles.File file) {
    String tag = "\"" + file.tag() + "\"";
    ApiResponse response =
        tag.equals(request.getHeader(HttpHeaders.IF_NONE_MATCH))
            ? ApiResponse.empty(304)
            : new ApiResponse(200, Buffer.buffer(file.text()), Map.of("Content-Type", file.type()));
    return response.with(HEADERS).with(Map.of("ETag", tag));
  }
}
