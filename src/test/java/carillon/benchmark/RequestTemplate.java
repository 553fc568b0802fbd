package carillon.benchmark;

import carillon.load.EpochMicros;
import io.vertx.core.buffer.Buffer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Template of the HTTP/1.1 request that submits a job to a scheduler, with placeholders such as
 * {@code {id}}. {@code ${NAME:-default}} is replaced from the environment when the template is
 * read. {@code Content-Length} is added. Immutable.
 */
final class RequestTemplate {
  private static final Pattern VARIABLE =
      Pattern.compile("\\$\\{([A-Z_][A-Z0-9_]*)(?::-([^}]*))?}");
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-z_]+)}");

  private final Text head;
  private final Text body;

  private RequestTemplate(Text head, Text body) {
    this.head = head;
    this.body = body;
  }

  /**
   * Job to submit.
   *
   * @param due due instant in {@link EpochMicros}
   * @param url URL that the job calls
   * @param host {@code host:port} of the scheduler
   */
  record Job(String id, int number, long due, URI url, String host) {}

  /** Placeholder of a template. The template has its name in lower case. */
  private enum Placeholder {
    ID,
    N,
    DUE_MS,
    DUE_US,
    DUE_ISO,
    DELAY_MS,
    URL,
    PATH,
    HOST;

    String of(Job job) {
      return switch (this) {
        case ID -> job.id;
        case N -> Integer.toString(job.number);
        case DUE_MS -> Long.toString(job.due / EpochMicros.PER_MILLI);
        case DUE_US -> Long.toString(job.due);
        case DUE_ISO -> EpochMicros.toInstant(job.due).toString();
        case DELAY_MS ->
            Long.toString(Math.max(0, job.due - EpochMicros.now()) / EpochMicros.PER_MILLI);
        case URL -> job.url.toString();
        case PATH -> job.url.getPath();
        case HOST -> job.host;
      };
    }

    static Placeholder named(String name) {
      return Arrays.stream(values())
          .filter(each -> each.name().equalsIgnoreCase(name))
          .findAny()
          .orElseThrow(
              () -> new IllegalArgumentException("no placeholder is named {" + name + "}"));
    }
  }

  /**
   * Reads a template: lines of the head, an empty line, the body.
   *
   * @throws IllegalArgumentException when a placeholder is unknown
   */
  static RequestTemplate parse(String text, Map<String, String> environment) {
    String[] parts = expand(text, environment).strip().split("\r?\n\r?\n", 2);
    String head = parts[0].lines().collect(Collectors.joining("\r\n"));
    return new RequestTemplate(Text.parse(head), Text.parse(parts.length > 1 ? parts[1] : ""));
  }

  /**
   * Returns the text with each {@code ${NAME:-default}} replaced. A variable without value and
   * default becomes empty.
   */
  static String expand(String text, Map<String, String> environment) {
    return VARIABLE
        .matcher(text)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(environment.getOrDefault(found.group(1), other(found))));
  }

  private static String other(MatchResult found) {
    return found.group(2) == null ? "" : found.group(2);
  }

  /** Returns the bytes of the request that submits a job. */
  Buffer request(Job job) {
    byte[] content = body.of(job).getBytes(StandardCharsets.UTF_8);
    return Buffer.buffer(head.of(job) + "\r\nContent-Length: " + content.length + "\r\n\r\n")
        .appendBytes(content);
  }

  /** Texts and placeholders in turn. Each placeholder follows the text with the same index. */
  private record Text(List<String> plain, List<Placeholder> placeholders) {
    static Text parse(String text) {
      List<String> plain = new ArrayList<>();
      List<Placeholder> placeholders = new ArrayList<>();
      int from = 0;
      for (MatchResult found : PLACEHOLDER.matcher(text).results().toList()) {
        plain.add(text.substring(from, found.start()));
        placeholders.add(Placeholder.named(found.group(1)));
        from = found.end();
      }
      plain.add(text.substring(from));
      return new Text(plain, placeholders);
    }

    String of(Job job) {
      StringBuilder whole = new StringBuilder();
      for (int i = 0; i < placeholders.size(); i++) {
        whole.append(plain.get(i)).append(placeholders.get(i).of(job));
      }
      return whole.append(plain.get(placeholders.size())).toString();
    }
  }
}
