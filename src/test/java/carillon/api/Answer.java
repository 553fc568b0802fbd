package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;

/**
 * An answer of the API. An assertion about it that fails shows its body; backquotes in what it
 * expects stand for quotes.
 */
public record Answer(int status, HttpHeaders headers, String body) {
  private static final String JSON = "application/json";

  static Answer of(HttpResponse<String> response) {
    return new Answer(response.statusCode(), response.headers(), document(response));
  }

  /** The body; of JSON in one line without the newline at its end. */
  private static String document(HttpResponse<String> response) {
    String body = response.body();
    boolean isJson =
        response.headers().firstValue("Content-Type").filter(t -> t.startsWith(JSON)).isPresent();
    int end = body.length() - 1;
    return isJson && body.indexOf('\n') == end ? body.substring(0, Math.max(end, 0)) : body;
  }

  /** The first header of this name, or nothing. */
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

  /** Asserts an error as all dialects but the classic one have it. */
  public void assertError(int expected, String code, String message) {
    assertIs(
        expected,
        "{`error`:{`code`:`" + code + "`,`message`:`" + message + "`" + requestId() + "}}");
    assertEquals("application/json; charset=utf-8", header("Content-Type"));
  }

  /** The answer without the id of its request, which is another in each, in its error. */
  Answer withoutRequestId() {
    assertFalse(requestId().isEmpty(), "not of the native dialect");
    assertContains(requestId() + "}");
    return new Answer(status, headers, body.replace(quoted(requestId()), ""));
  }

  /** Errors of the native dialect alone have the id of the request. */
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
