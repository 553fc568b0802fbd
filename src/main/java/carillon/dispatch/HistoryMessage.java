package carillon.dispatch;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The text that the history keeps of an HTTP attempt, in the form that the Azure Scheduler gave it.
 */
final class HistoryMessage {
  /** What every message begins with. */
  static final String ACTION = "Http Action";

  private static final int BODY_CHARACTERS = 1024;
  private static final int HEADER_CHARACTERS = 2048;

  /** So that a long body, which is cut anyway, is not searched for secrets to its end. */
  private static final int SEARCHED_CHARACTERS = 65_536;

  /** Short enough for an int. */
  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,9}");

  private static final Pattern NO_LETTERS = Pattern.compile("[^A-Za-z]+");

  private HistoryMessage() {}

  /**
   * {@code Http Action - Response from host 'h': 'OK' Response Headers: ... Body: ...}; Content-*
   * headers are left out, values of a repeated header joined, the body cut after 1024 characters.
   *
   * @param hiding takes secrets out of a text; before it is cut, so that no half of one remains
   */
  static String answered(
      String host, int status, MultiMap headers, Buffer body, UnaryOperator<String> hiding) {
    return ACTION
        + " - Response from host '"
        + host
        + "': '"
        + statusName(status)
        + "' Response Headers: "
        + cut(hiding.apply(headers(headers)), HEADER_CHARACTERS)
        + " Body: "
        + cut(
            hiding.apply(cut(body.toString(StandardCharsets.UTF_8), SEARCHED_CHARACTERS)),
            BODY_CHARACTERS);
  }

  /**
   * Length of a body that the message may not hold whole, in bytes; empty for a short one.
   *
   * @param maxResponse no more of a body is read
   */
  static OptionalLong lengthOf(Buffer body, MultiMap headers, int maxResponse) {
    int length = body.length();
    if (length < BODY_CHARACTERS - 1) {
      return OptionalLong.empty();
    }
    String told = headers.get(HttpHeaders.CONTENT_LENGTH);
    boolean isCut = length >= maxResponse && told != null && LENGTH.matcher(told).matches();
    return OptionalLong.of(isCut ? Math.max(length, Long.parseLong(told)) : length);
  }

  /** No answer came; {@code cause} is one of a small fixed vocabulary. */
  static String failed(String host, String cause) {
    return ACTION + " - Request to host '" + host + "' failed: " + cause;
  }

  /**
   * The name that .NET's HttpStatusCode has for a status: its reason phrase without blanks; the
   * number where there is none.
   */
  private static String statusName(int status) {
    String phrase = HttpResponseStatus.valueOf(status).reasonPhrase();
    return phrase.contains("(")
        ? Integer.toString(status)
        : NO_LETTERS.matcher(phrase).replaceAll("");
  }

  private static String headers(MultiMap headers) {
    Map<String, String> joined = new LinkedHashMap<>();
    headers.forEach(
        header -> {
          if (!header.getKey().toLowerCase(Locale.ROOT).startsWith("content-")) {
            joined.merge(
                header.getKey(), header.getValue(), (first, second) -> first + ", " + second);
          }
        });
    StringBuilder text = new StringBuilder();
    joined.forEach((name, value) -> text.append(name).append(": ").append(value).append("\r\n"));
    return text.toString();
  }

  private static String cut(String text, int maxLength) {
    if (text.length() <= maxLength) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(maxLength - 1)) ? maxLength - 1 : maxLength;
    return text.substring(0, end);
  }
}
