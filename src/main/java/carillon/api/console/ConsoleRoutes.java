package carillon.api.console;

import carillon.access.Caller;
import carillon.access.Visibility;
import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.HttpException;
import carillon.api.http.QueryParameters;
import carillon.auth.RequestAuthenticator;
import carillon.job.attempt.HistoryEntry;
import carillon.job.name.JobKey;
import carillon.job.name.Quoted;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Handlers of the console: its page at {@code /}, the reference of the API at {@code /docs}, their
 * files, and the stream of attempts.
 */
public final class ConsoleRoutes {
  /** Headers that forbid content, scripts and requests of other origins. */
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
      HistoryEntry.Status.OF_ENTRIES.stream().map(HistoryEntry.Status::word).toList();
  private static final int MAX_NAME_LENGTH = 128;

  /** Path of a file; paths without a dot belong to the API. */
  private static final Pattern FILE = Pattern.compile("/console/([^/]*\\.[^/]*)/?");

  private final ConsoleFiles files = new ConsoleFiles();
  private final LiveEventStream feed;
  private final RequestAuthenticator login;

  public ConsoleRoutes(LiveEventStream feed, RequestAuthenticator login) {
    this.feed = feed;
    this.login = login;
  }

  /**
   * Returns a page or a file of the console. These need no credential, because a browser loads them
   * before the sign-in. Empty for all other requests.
   */
  public Optional<ApiResponse> file(HttpServerRequest http) {
    if (!http.method().equals(HttpMethod.GET) && !http.method().equals(HttpMethod.HEAD)) {
      return Optional.empty();
    }
    if (http.path().equals("/")) {
      return isPageWanted(http) ? Optional.of(answer(http, files.page())) : Optional.empty();
    }
    if (http.path().equals("/docs")) {
      return Optional.of(answer(http, files.reference()));
    }
    Matcher file = FILE.matcher(http.path());
    return file.matches()
        ? Optional.of(
            files
                .find(file.group(1))
                .map(found -> answer(http, found))
                .orElseGet(() -> HttpException.notFound(Quoted.of(http.path())).answer(http)))
        : Optional.empty();
  }

  private static boolean isPageWanted(HttpServerRequest http) {
    String accept = http.getHeader(HttpHeaders.ACCEPT);
    return accept != null && accept.toLowerCase(Locale.ROOT).contains("text/html");
  }

  /**
   * Streams the attempts of all nodes as they end, until the client disconnects or loses its
   * permission. The stream has the attempts that the client may read, filtered by collection, part
   * of a name, and status. A stream is no answer that could be returned, so the future does not
   * complete. Fails with 400.
   */
  public Future<ApiResponse> watch(ApiRequest request) {
    if (request.http().method().equals(HttpMethod.HEAD)) {
      return Future.failedFuture(HttpException.methodNotAllowed("HEAD", "GET", "GET"));
    }
    QueryParameters query = request.query();
    String collection = folded(query.shortText("collection", MAX_NAME_LENGTH));
    String part = folded(query.shortText("job", MAX_NAME_LENGTH));
    String status = query.word("status", STATUSES).orElse("");
    Visibility visible = request.caller().visibility();
    feed.watch(
        request.http(),
        request.callerName(),
        () -> login.identify(request.http()).compose(caller -> stillAllowed(request, caller)),
        visible.isAll(),
        attempt -> {
          List<String> key = new JobKey(attempt.key()).parts();
          return visible.includes(new JobKey(attempt.key()))
              && (collection.isEmpty() || key.get(2).equals(collection))
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
    String tag = file.tag();
    return tag.equals(request.getHeader(HttpHeaders.IF_NONE_MATCH))
        ? ApiResponse.empty(304).with(HEADERS).with(Map.of("ETag", tag))
        : file.answer();
  }

  /**
   * Finds the files that the browser loads, each read once and kept: they are few and small, and
   * part of the program. The system property {@value #DIRECTORY} names a directory for development:
   * files are read from there each time. Thread-safe.
   */
  private static final class ConsoleFiles {
    /** Pattern of files: one folder and plain names, so no other file can be requested. */
    private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,40}\\.(html|css|js|svg)");

    private static final Map<String, String> TYPES =
        Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");

    /** Library in its web jar; it is the only one. */
    private static final Map<String, String> LIBRARIES =
        Map.of("lit-html.js", "/META-INF/resources/webjars/lit-html/3.3.2/lit-html.js");

    private static final String DIRECTORY = "carillon.console";

    private final Optional<Path> directory =
        Optional.ofNullable(System.getProperty(DIRECTORY)).map(Path::of);
    private final Map<String, File> files = new ConcurrentHashMap<>();

    /**
     * File in the form that is sent.
     *
     * @param tag changes with the content
     */
    record File(ApiResponse answer, String tag) {
      static File of(byte[] content, String type) {
        String tag = '"' + hash(content) + '"';
        ApiResponse answer =
            new ApiResponse(200, Buffer.buffer(content), Map.of("Content-Type", type))
                .with(HEADERS)
                .with(Map.of("ETag", tag))
                .constant();
        return new File(answer, tag);
      }
    }

    /** The page itself. */
    File page() {
      return find("index.html").orElseThrow();
    }

    /** The page of the reference. */
    File reference() {
      return find("docs.html").orElseThrow();
    }

    /** The file of this name; empty when there is none. */
    Optional<File> find(String name) {
      File known = files.get(name);
      if (known != null) {
        return Optional.of(known);
      }
      return NAME.matcher(name).matches() ? read(name) : Optional.empty();
    }

    private Optional<File> read(String name) {
      boolean isKept = directory.isEmpty() || LIBRARIES.containsKey(name);
      try {
        byte[] content = isKept ? ofProgram(name) : ofDirectory(directory.orElseThrow(), name);
        if (content == null) {
          return Optional.empty();
        }
        File file = File.of(content, TYPES.get(name.substring(name.indexOf('.') + 1)));
        if (isKept) {
          files.put(name, file);
        }
        return Optional.of(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Returns the content of a file; null if there is none. */
    private static byte[] ofProgram(String name) throws IOException {
      String resource = LIBRARIES.getOrDefault(name, "/console/" + name);
      try (InputStream in = ConsoleFiles.class.getResourceAsStream(resource)) {
        return in == null ? null : in.readAllBytes();
      }
    }

    private static byte[] ofDirectory(Path directory, String name) throws IOException {
      Path file = directory.resolve(name);
      return Files.isRegularFile(file) ? Files.readAllBytes(file) : null;
    }

    private static String hash(byte[] content) {
      try {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
        return HexFormat.of().formatHex(hash, 0, 8);
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
