package carillon.cli.jobs;

import carillon.cli.client.DurationOption;
import carillon.cli.client.InputFile;
import carillon.cli.output.CommandException;
import carillon.cli.output.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of an HTTP call: its target, its content, and its retries. */
final class HttpCallOptions {
  private static final String CONTENT_TYPE = "Content-Type";

  @Option(names = "--post", paramLabel = "URL", description = "Sends a POST to this URL.")
  private String post;

  @Option(names = "--get", paramLabel = "URL", description = "Sends a GET.")
  private String get;

  @Option(names = "--put", paramLabel = "URL", description = "Sends a PUT.")
  private String put;

  @Option(
      names = "--to",
      paramLabel = "URL",
      description = "The URL of a call with another method; goes with --method.")
  private String to;

  @Option(
      names = "--method",
      paramLabel = "METHOD",
      description =
          "The method of --to: PATCH, DELETE, HEAD, ... Default: POST with --body, else GET.")
  private String method;

  @Option(
      names = "--header",
      paramLabel = "NAME:VALUE",
      description = "A header of the call; more than once.")
  private List<String> headers = List.of();

  @Option(
      names = "--body",
      paramLabel = "TEXT",
      description =
          "The body; @FILE: from a file, -: standard input. JSON objects and arrays are sent as"
              + " application/json unless --header says otherwise.")
  private String body;

  @Option(
      names = "--retries",
      paramLabel = "N",
      description =
          "Retries of a failed call, 0 to 20, with growing pauses that begin at --retry-interval."
              + " Default: the settings of the node, 4 times every 30 s.")
  private Integer retries;

  @Option(
      names = "--retry-interval",
      paramLabel = "DURATION",
      description = "The pause before the first retry. Default: 1m.")
  private String retryInterval;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description = "How long one attempt may take, such as 30s.")
  private String timeout;

  @Option(names = "--flow", paramLabel = "NAME", description = "The flow that limits the call.")
  private String flow;

  @Option(
      names = "--placeholders",
      description =
          "Replaces placeholders such as {{scheduledAt}} and {{executionId}} in URL, headers and"
              + " body by the values of each call.")
  private boolean placeholders;

  /** Adds the call, its retries and its limits to an empty action. */
  void addTo(ObjectNode action) {
    Target target = target();
    action.put("type", isHttps(target.url) ? "https" : "http");
    ObjectNode request = action.putObject("request");
    request.put("uri", target.url);
    request.put("method", target.method);
    Map<String, String> all = readHeaders();
    Optional<String> text = Optional.ofNullable(body).map(HttpCallOptions::readBody);
    if (text.filter(HttpCallOptions::isJson).isPresent()) {
      all.putIfAbsent(CONTENT_TYPE.toLowerCase(Locale.ROOT), CONTENT_TYPE + ":application/json");
    }
    if (!all.isEmpty()) {
      ObjectNode named = request.putObject("headers");
      all.values().forEach(header -> addHeader(named, header));
    }
    text.ifPresent(given -> request.put("body", given));
    if (placeholders) {
      request.put("placeholders", true);
    }
    addRetries(action);
    if (timeout != null) {
      action.put("timeout", DurationOption.read("--timeout", timeout).toString());
    }
    if (flow != null) {
      action.put("flow", flow);
    }
  }

  private record Target(String method, String url) {}

  private Target target() {
    List<Target> given = new ArrayList<>();
    add(given, "POST", post);
    add(given, "GET", get);
    add(given, "PUT", put);
    add(given, method == null ? body == null ? "GET" : "POST" : method, to);
    if (given.isEmpty()) {
      throw CommandException.usage("give a URL to call: --post, --get, --put or --to");
    }
    if (given.size() > 1) {
      throw CommandException.usage("give one of --post, --get, --put and --to");
    }
    if (method != null && to == null) {
      throw CommandException.usage("--method goes with --to");
    }
    if (body != null && get != null) {
      throw CommandException.usage("--body: a GET has none; use --post");
    }
    return given.get(0);
  }

  private static void add(List<Target> targets, String method, String url) {
    if (url != null) {
      targets.add(new Target(method.toUpperCase(Locale.ROOT), url));
    }
  }

  private static boolean isHttps(String url) {
    return url.regionMatches(true, 0, "https:", 0, "https:".length());
  }

  /** The headers as they were typed, by their names in lower case. */
  private Map<String, String> readHeaders() {
    Map<String, String> read = new LinkedHashMap<>();
    for (String header : headers) {
      int colon = header.indexOf(':');
      if (colon < 1) {
        throw CommandException.usage("--header must be 'NAME: VALUE'"); // may be a secret
      }
      String name = header.substring(0, colon).strip();
      if (read.put(name.toLowerCase(Locale.ROOT), header) != null) {
        throw CommandException.usage("--header " + name + " is given twice");
      }
    }
    return read;
  }

  private static void addHeader(ObjectNode headers, String header) {
    int colon = header.indexOf(':');
    headers.put(header.substring(0, colon).strip(), header.substring(colon + 1).strip());
  }

  private static String readBody(String given) {
    boolean isFile = given.startsWith("@") || given.equals(InputFile.STANDARD);
    return isFile
        ? utf8(new InputFile(given.startsWith("@") ? given.substring(1) : given).read())
        : given;
  }

  private static String utf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw CommandException.usage("--body must be UTF-8 text");
    }
  }

  private static boolean isJson(String text) {
    try {
      JsonNode parsed = Json.MAPPER.readTree(text);
      return parsed.isObject() || parsed.isArray();
    } catch (IOException e) {
      return false;
    }
  }

  private void addRetries(ObjectNode action) {
    if (retries == null) {
      if (retryInterval != null) {
        throw CommandException.usage("--retry-interval goes with --retries");
      }
      return;
    }
    ObjectNode policy = action.putObject("retryPolicy");
    if (retries == 0) {
      if (retryInterval != null) {
        throw CommandException.usage("--retry-interval does not go with --retries 0");
      }
      policy.put("retryType", "none");
      return;
    }
    policy.put("retryType", "exponential").put("retryCount", retries);
    if (retryInterval != null) {
      Duration pause = DurationOption.read("--retry-interval", retryInterval);
      policy.put("retryInterval", pause.toString());
    }
  }
}
