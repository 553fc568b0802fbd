package carillon.api.console;

import carillon.api.http.ApiResponse;
import carillon.api.http.HttpException;
import carillon.api.http.QueryParameters;
import carillon.job.HistoryEntry;
import carillon.job.JobKey;
import carillon.job.Quoted;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The page that a browser gets at {@code /}, and the files that it loads. */
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

  private final ConsoleFiles files = new ConsoleFiles();
  private final LiveEventStream feed;

  public ConsoleRoutes(LiveEventStream feed) {
    this.feed = feed;
  }

  /** Whether the client is a browser that wants to show a page. */
  static boolean isWanted(HttpServerRequest request) {
    String accept = request.getHeader(HttpHeaders.ACCEPT);
    return accept != null && accept.toLowerCase(Locale.ROOT).contains("text/html");
  }

  /** Whether this can be the name of a file: what has no dot is asked of the API. */
  static boolean isFile(String name) {
    return name.indexOf('.') >= 0;
  }

  Future<ApiResponse> page(HttpServerRequest request) {
    return Future.succeededFuture(answer(request, files.page()));
  }

  /** Fails with 404. */
  Future<ApiResponse> file(HttpServerRequest request, String name) {
    return files
        .find(name)
        .map(file -> Future.succeededFuture(answer(request, file)))
        .orElseThrow(() -> HttpException.notFound(Quoted.of(request.path())));
  }

  /**
   * Attempts of all nodes as they end, until the client goes: those of a collection, with a part of
   * a name, of a status. Fails with 400.
   *
   * @param caller who watches
   * @param allowed asked now and then; ends the stream when it fails
   */
  void watch(HttpServerRequest request, String caller, Supplier<Future<Void>> allowed) {
    QueryParameters query = QueryParameters.parse(request.query());
    String collection = folded(query.shortText("collection", LONGEST_NAME));
    String part = folded(query.shortText("job", LONGEST_NAME));
    String status = query.word("status", STATUSES).orElse("");
    feed.watch(
        request,
        caller,
        allowed,
        attempt -> {
          List<String> key = new JobKey(attempt.key()).parts();
          return (collection.isEmpty() || key.get(2).equals(collection))
              && key.get(3).contains(part)
              && (status.isEmpty() || attempt.entry().status().word().equals(status));
        });
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
