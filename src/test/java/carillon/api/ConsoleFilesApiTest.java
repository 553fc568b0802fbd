package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of the console and its files. */
class ConsoleFilesApiTest extends WithDefaultCollection {
  @Test
  void aBrowserGetsThePageAndOthersTheProduct() {
    HttpResponse<String> page =
        api.send("GET", "/console/index.html", null, "Accept", "text/html,*/*;q=0.8");
    String policy = page.headers().firstValue("Content-Security-Policy").orElse("");

    assertTrue(page.body().contains("<div id=\"app\">"));
    assertTrue(policy.contains("default-src 'none'") && !policy.contains("unsafe"), policy);
    assertEquals("nosniff", page.headers().firstValue("X-Content-Type-Options").orElse(""));
    assertTrue(api.send("GET", "/", null, "Accept", "*/*").body().contains("\"openapi\""));
    assertTrue(api.send("GET", "/", null).body().contains("\"openapi\""));
    assertEquals(
        page.body(),
        api.sendRaw("GET / HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\nConnection: close\r\n\r\n")
            .split("\r\n\r\n", 2)[1]);
  }

  @Test
  void filesAreSentAgainOnlyWhenTheyHaveChanged() {
    HttpResponse<String> first = api.send("GET", "/console/lit-html.js", null);
    String tag = first.headers().firstValue("ETag").orElseThrow();

    assertEquals(
        "text/javascript; charset=utf-8", first.headers().firstValue("Content-Type").orElse(""));
    assertFalse(first.body().isEmpty());
    assertEquals(
        304, api.send("GET", "/console/lit-html.js", null, "If-None-Match", tag).statusCode());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/console/none.js",
        "/console/..%2fopenapi.yaml",
        "/console/",
        "/console/app.js/x",
        "/console/App.js"
      })
  void nothingElseCanBeAskedFor(String path) {
    assertEquals(404, api.send("GET", path, null).statusCode());
    assertEquals(400, api.send("GET", "/console/%2e%2e%2flogback.xml", null).statusCode());
  }
}
