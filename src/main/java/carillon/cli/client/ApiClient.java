package carillon.cli.client;

import carillon.cli.output.CommandException;
import carillon.text.NearestName;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/** HTTP client of a running node. Thread-safe. */
public final class ApiClient {
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Duration ANSWER = Duration.ofSeconds(60);
  private static final Pattern SECONDS = Pattern.compile("\\d{1,5}");
  private static final Pattern WARNING = Pattern.compile("199 - \"([^\"]*)\"");
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final String EVENT = "event: ";
  private static final String DATA = "data: ";
  private static final byte[] NOTHING = new byte[0];

  private final HttpClient client;
  private final URI base;
  private final String place;
  private final Optional<String> key;
  private final Duration answer;

  /**
   * A client that has not connected yet.
   *
   * @param base address without a slash at its end; may have a path, of a proxy
   * @param trust for an https address; empty: what Java trusts
   */
  ApiClient(URI base, Optional<String> key, Optional<SSLContext> trust) {
    HttpClient.Builder builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT);
    trust.ifPresent(builder::sslContext);
    this.client = builder.build();
    this.base = base;
    this.place = "";
    this.key = key;
    this.answer = ANSWER;
  }

  private ApiClient(ApiClient other, String place, Duration answer) {
    this.client = other.client;
    this.base = other.base;
    this.place = place;
    this.key = other.key;
    this.answer = answer;
  }

  /** Returns this client for a group: paths without a group use this one. */
  ApiClient in(String groupPath) {
    return new ApiClient(this, groupPath, answer);
  }

  /** Returns this client with another time-out for answers. */
  public ApiClient patient(Duration patience) {
    return new ApiClient(this, place, patience);
  }

  private URI address(String path) {
    return URI.create(base + (path.startsWith(JobAddress.GROUPS) ? "" : place) + path);
  }

  /** Sends a request and waits for any reply. Fails if there is none. */
  public ApiReply ask(String method, String path, byte[] body, String... headers) {
    try {
      return reply(client.send(request(method, path, body, headers), BodyHandlers.ofString()));
    } catch (IOException e) {
      throw unreachable(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandException.refused("interrupted");
    }
  }

  /**
   * Returns the given reply. Fails instead if there is no item of this name and another name is
   * near, and proposes that name.
   *
   * @param list path of the items
   */
  public ApiReply proposeNearest(ApiReply reply, String list, String name) {
    if (reply.status() != NOT_FOUND) {
      return reply;
    }
    List<String> names = new ArrayList<>();
    ApiReply all = ask("GET", list + "?$top=100", NOTHING);
    if (all.isSuccess()) {
      all.json().path("value").forEach(item -> names.add(nameOf(item)));
    }
    return NearestName.of(name, names)
        .<ApiReply>map(
            near -> {
              throw CommandException.refused(reply.refusal() + "; did you mean '" + near + "'?");
            })
        .orElse(reply);
  }

  private static String nameOf(JsonNode item) {
    return item.path("name").asText(item.path("id").asText());
  }

  /** Gets the document at a path. */
  public JsonNode get(String path) {
    return ask("GET", path, NOTHING).orFail().json();
  }

  /** Sends a request without a body, which must succeed. */
  public ApiReply send(String method, String path) {
    return ask(method, path, NOTHING).orFail();
  }

  /**
   * Sends a request and does not wait.
   *
   * @param then receives the reply, or an IOException if there is none; on another thread
   */
  public void begin(
      String method,
      String path,
      byte[] body,
      BiConsumer<ApiReply, Throwable> then,
      String... headers) {
    var unused =
        client
            .sendAsync(request(method, path, body, headers), BodyHandlers.ofString())
            .thenApply(ApiClient::reply)
            .whenComplete(then);
  }

  /**
   * Reads a list to its end, page by page.
   *
   * @param path with or without a query
   * @param sink says of each item whether it wants another
   */
  public void list(String path, Predicate<JsonNode> sink) {
    list(path, sink, damaged -> {});
  }

  /**
   * Reads a list to its end, page by page.
   *
   * @param path with or without a query
   * @param sink receives each item, and returns whether it wants another
   * @param leftOut receives the damaged items that the list leaves out: name and reason
   */
  public void list(String path, Predicate<JsonNode> sink, Consumer<JsonNode> leftOut) {
    Optional<String> next = Optional.of(path);
    String bare = path.split("\\?", 2)[0];
    while (next.isPresent()) {
      JsonNode page = get(next.get());
      page.path("damaged").forEach(leftOut);
      for (JsonNode item : page.path("value")) {
        if (!sink.test(item)) {
          return;
        }
      }
      // Only the query of the link counts: the address stays the one given to this program.
      next =
          Optional.ofNullable(page.path("nextLink").textValue())
              .map(link -> bare + link.substring(Math.max(0, link.indexOf('?'))));
    }
  }

  /**
   * Reads server-sent events until the sink wants no more. Fails when the node ends the stream.
   *
   * @param sink receives the name and the data of each event, and returns whether it wants another
   */
  public void events(String path, BiPredicate<String, String> sink) {
    HttpRequest request = request("GET", path, NOTHING, "Accept", "text/event-stream");
    try (Stream<String> lines = body(client.send(request, BodyHandlers.ofLines()))) {
      String event = "";
      for (String line : (Iterable<String>) lines::iterator) {
        if (line.startsWith(EVENT)) {
          event = line.substring(EVENT.length());
        } else if (line.startsWith(DATA) && !sink.test(event, line.substring(DATA.length()))) {
          return;
        }
      }
    } catch (IOException e) {
      throw unreachable(e);
    } catch (UncheckedIOException e) {
      throw unreachable(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandException.refused("interrupted");
    }
    throw CommandException.unreachable(base + " has ended the stream");
  }

  private static Stream<String> body(HttpResponse<Stream<String>> response) {
    if (response.statusCode() != OK) {
      String text = response.body().collect(Collectors.joining("\n"));
      new ApiReply(response.statusCode(), text, "", "", 0).orFail();
    }
    return response.body();
  }

  public CommandException unreachable(IOException e) {
    return CommandException.unreachable(base + " cannot be reached: " + IoErrorText.of(e));
  }

  private HttpRequest request(String method, String path, byte[] body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address(path))
            .timeout(answer)
            .method(
                method,
                body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    if (body.length > 0) {
      request.setHeader("Content-Type", "application/json");
    }
    key.ifPresent(text -> request.header("Authorization", "Bearer " + text));
    for (int i = 0; i < headers.length; i += 2) {
      request.setHeader(headers[i], headers[i + 1]);
    }
    return request.build();
  }

  private static ApiReply reply(HttpResponse<String> response) {
    int wait =
        response
            .headers()
            .firstValue("Retry-After")
            .filter(value -> SECONDS.matcher(value).matches())
            .map(Integer::parseInt)
            .orElse(0);
    return new ApiReply(
        response.statusCode(),
        response.body(),
        response.headers().firstValue("ETag").orElse(""),
        response.headers().firstValue("Warning").map(ApiClient::warning).orElse(""),
        wait);
  }

  /** The text of a header Warning. */
  private static String warning(String header) {
    Matcher text = WARNING.matcher(header);
    return text.matches() ? text.group(1) : "";
  }
}
