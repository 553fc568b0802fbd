package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;

/**
 * Answer of the API. A failed assertion about it shows the body. Backquotes in an expected text are
 * read as double quotes.
 */
public record Answer(int status, HttpHeaders headers, String body) {
  private static final String JSON = "application/json";

  static Answer of(HttpResponse<String> response) {
    return new Answer(response.statusCode(), response.headers(), document(response));
  }

  /** Returns the body; JSON in one line without the newline at its end. */
  private static String document(HttpResponse<String> response) {
    String body = response.body();
    boolean isJson =
        response.headers().firstValue("Content-Type").filter(t -> t.startsWith(JSON)).isPresent();
    int end = body.length() - 1;
    return isJson && body.indexOf('\n') == end ? body.substring(0, Math.max(end, 0)) : body;
  }

  /** Returns the first header of this name, or an empty text. */
  public String header(String name) {
    return headers.firstValue(name).orElse("");
  }

  public String etag() {
    return headers.firstValue("ETag").orElseThrow();
  }

  public JsonObject json() {
    return new JsonObject(body);
  }

  public Answer assertStatus(int expected) {
    assertEquals(expected, status, body);
    return this;
  }

  public void assertIs(int expected, String expectedBody) {
    assertEquals(quoted(expectedBody), body);
    assertEquals(expected, status);
  }

  private static String quoted(String text) {
    return text.replace('`', '"');
  }

  /** Asserts an error in the form of all dialects except the classic one. */
  public void assertError(int expected, String code, String message) {
    assertIs(
        expected,
        "{`error`:{`code`:`" + code + "`,`message`:`" + message + "`" + requestId() + "}}");
    assertEquals("application/json; charset=utf-8", header("Content-Type"));
  }

  /** Returns the answer without the request id in its error, which differs in each answer. */
  Answer withoutRequestId() {
    assertFalse(requestId().isEmpty(), "not of the native dialect");
    assertContains(requestId() + "}");
    return new Answer(status, headers, body.replace(quoted(requestId()), ""));
  }

  /** Returns the request id as errors contain it; only errors of the native dialect have one. */
  private String requestId() {
    boolean isNative = header("x-ms-request-id").isEmpty();
    return isNative ? ",`requestId`:`" + header("X-Request-Id") + "`" : "";
  }

  public Answer assertStartsWith(String start) {
    assertTrue(body.startsWith(quoted(start)), body);
    return this;
  }

  public Answer assertEndsWith(String end) {
    assertTrue(body.endsWith(quoted(end)), body);
    return this;
  }

  public Answer assertContains(String... parts) {
    for (String part : parts) {
      assertTrue(body.contains(quoted(part)), () -> "no " + part + " in " + body);
    }
    return this;
  }

  public Answer assertLacks(String part) {
    assertFalse(body.contains(quoted(part)), body);
    return this;
  }
}
