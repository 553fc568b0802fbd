package carillon.dispatch.call;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Text of an HTTP attempt in the history, in the form of the Azure Scheduler. */
public final class HistoryMessage {
  /** Beginning of every message. */
  static final String ACTION = "Http Action";

  private static final int BODY_CHARACTERS = 1024;
  private static final int HEADER_CHARACTERS = 2048;

  /** Maximum number of characters that are searched for secrets. A long body is cut anyway. */
  private static final int SEARCHED_CHARACTERS = 65_536;

  /** Pattern of a length that fits into an int. */
  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,9}");

  private static final Pattern NO_LETTERS = Pattern.compile("[^A-Za-z]+");

  private HistoryMessage() {}

  /**
   * {@code Http Action - Response from host 'h': 'OK' Response Headers: ... Body: ...}; Content-*
   * headers are left out, values of a repeated header joined, the body decoded and cut after 1024
   * characters.
   *
   * @param hiding removes secrets from a text before it is cut, so that no part of one remains
   */
  public static String answered(
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
            hiding.apply(cut(BodyText.of(body.getBytes(), headers), SEARCHED_CHARACTERS)),
            BODY_CHARACTERS);
  }

  /**
   * Returns the length of a body in bytes, if the message may not hold it completely; empty for a
   * short one.
   *
   * @param maxResponse maximum number of bytes that are read
   */
  public static OptionalLong lengthOf(Buffer body, MultiMap headers, int maxResponse) {
    int length = body.length();
    if (length < BODY_CHARACTERS - 1) {
      return OptionalLong.empty();
    }
    String told = headers.get(HttpHeaders.CONTENT_LENGTH);
    boolean isCut = length >= maxResponse && told != null && LENGTH.matcher(told).matches();
    return OptionalLong.of(isCut ? Math.max(length, Long.parseLong(told)) : length);
  }

  /**
   * Returns the message of a call without an answer; {@code cause} is one of a small fixed
   * vocabulary.
   */
  public static String failed(String host, String cause) {
    return ACTION + " - Request to host '" + host + "' failed: " + cause;
  }

  /**
   * Returns the name of a status in .NET's HttpStatusCode, its reason phrase without blanks.
   * Returns the number if there is no name.
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
