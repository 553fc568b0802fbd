package carillon.json;

import carillon.job.attempt.HistoryEntry;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * HTTP answer, parsed from the message of a history entry, so that headers and body are stored
 * once.
 *
 * @param headers in the order of the answer, without Content-*
 * @param body the stored part of it
 * @param bytes length of the whole body; empty if the body may be cut and the entry has no length
 * @param isTruncated whether the body was longer
 */
public record RecordedAnswer(
    Map<String, String> headers, String body, OptionalLong bytes, boolean isTruncated) {
  /** Status that is stored only in the message. */
  public static final int OK = 200;

  private static final String HEADERS = "' Response Headers: ";
  private static final String SAYS_OK = "'OK" + HEADERS;
  private static final String BODY = " Body: ";
  private static final String LINE_END = "\r\n";

  /** Maximum length of the headers, and of the body, in a message, in characters. */
  private static final int HEADERS_LENGTH = 2048;

  private static final int BODY_LENGTH = 1024;

  private static final Pattern REMARK =
      Pattern.compile(
          " Not retried: (?:the target answered Carillon-Retry: no|\\d{3} is in giveUpOn)$");

  private static final Pattern ANSWERED =
      Pattern.compile("^[^']* - Response from host '([^']*)': '([^']*)'");
  private static final Pattern WORDS =
      Pattern.compile("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

  /**
   * Returns a sentence on the result of a call, without the facts in other properties of its entry:
   * {@code 503 Service Unavailable from api.example}, or why there was no answer.
   *
   * @param hasAnswer whether {@link #of} finds an answer in it
   */
  static String summary(HistoryEntry entry, boolean hasAnswer) {
    String message = entry.message();
    if (entry.call().error().isPresent()) {
      return entry.call().error().get().cause();
    }
    OptionalInt code = entry.call().statusCode();
    if (code.isEmpty() || !hasAnswer) {
      return message;
    }
    Matcher answered = ANSWERED.matcher(message);
    if (!answered.find()) {
      return message;
    }
    String phrase = WORDS.matcher(answered.group(2)).replaceAll(" ");
    boolean isNumber = phrase.equals(Integer.toString(code.getAsInt()));
    Matcher remark = REMARK.matcher(message);
    return code.getAsInt()
        + (isNumber ? "" : " " + phrase)
        + " from "
        + answered.group(1)
        + (remark.find() ? "." + remark.group() : "");
  }

  /** Whether the message contains the status 200. */
  static boolean saysOk(String message) {
    int headers = message.indexOf(HEADERS);
    return headers > 0
        && message.startsWith(SAYS_OK, headers + HEADERS.length() - SAYS_OK.length());
  }

  /** Returns the answer of an entry; empty if its message contains none. */
  public static Optional<RecordedAnswer> of(HistoryEntry entry) {
    String message = entry.message();
    int start = message.indexOf(HEADERS);
    if (start < 0) {
      return Optional.empty();
    }
    start += HEADERS.length();
    int end = headersEnd(message, start);
    if (end < 0) {
      return Optional.empty();
    }
    String body = REMARK.matcher(message.substring(end + BODY.length())).replaceFirst("");
    int kept = body.getBytes(StandardCharsets.UTF_8).length;
    boolean mayBeCut = body.length() >= BODY_LENGTH - 1;
    OptionalLong told = entry.call().bodyBytes();
    OptionalLong bytes = told.isPresent() || mayBeCut ? told : OptionalLong.of(kept);
    boolean isTruncated = mayBeCut && told.orElse(Long.MAX_VALUE) > kept;
    return Optional.of(
        new RecordedAnswer(headers(message.substring(start, end)), body, bytes, isTruncated));
  }

  /**
   * Returns the end of the headers: after the end of a line, or at the cut. -1 if there is no body.
   */
  private static int headersEnd(String message, int start) {
    int at = start;
    while (!message.startsWith(BODY, at)) {
      int line = message.indexOf(LINE_END, at);
      int next = line < 0 ? Integer.MAX_VALUE : line + LINE_END.length();
      if (next > start + HEADERS_LENGTH) {
        return message.indexOf(BODY, Math.max(at, start + HEADERS_LENGTH - 1));
      }
      at = next;
    }
    return at;
  }

  private static Map<String, String> headers(String lines) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (String line : lines.split(LINE_END, -1)) {
      int colon = line.indexOf(": ");
      if (colon > 0) {
        headers.put(line.substring(0, colon), line.substring(colon + 2));
      }
    }
    return headers;
  }

  /** Writes the properties of the answer into an object. */
  void write(JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("headers");
    for (Map.Entry<String, String> header : headers.entrySet()) {
      json.writeStringField(header.getKey(), header.getValue());
    }
    json.writeEndObject();
    json.writeStringField("body", body);
    if (bytes.isPresent()) {
      json.writeNumberField("bytes", bytes.getAsLong());
    }
    json.writeBooleanField("truncated", isTruncated);
  }
}
