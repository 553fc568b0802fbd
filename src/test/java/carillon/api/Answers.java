package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.http.HttpResponse;

/** What tests expect of answers. */
final class Answers {
  private Answers() {}

  static void assertAnswer(int status, String body, HttpResponse<String> answer) {
    assertEquals(body, answer.body());
    assertEquals(status, answer.statusCode());
  }

  static void assertError(int status, String code, String message, HttpResponse<String> answer) {
    assertAnswer(
        status, "{\"error\":{\"code\":\"" + code + "\",\"message\":\"" + message + "\"}}", answer);
    assertEquals(
        "application/json; charset=utf-8", answer.headers().firstValue("Content-Type").orElse(""));
  }

  static String etag(HttpResponse<String> answer) {
    return answer.headers().firstValue("ETag").orElseThrow();
  }
}
