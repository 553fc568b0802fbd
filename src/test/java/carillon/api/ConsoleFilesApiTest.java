package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of the console's page and files. */
class ConsoleFilesApiTest extends WithDefaultCollection {
  @Test
  void aBrowserGetsThePageAndOthersTheProduct() {
    Answer page = api.get("/console/index.html", "Accept", "text/html,*/*;q=0.8");
    String policy = page.header("Content-Security-Policy");

    page.assertContains("<div id=`app`>");
    assertTrue(policy.contains("default-src 'none'") && !policy.contains("unsafe"), policy);
    assertEquals("nosniff", page.header("X-Content-Type-Options"));
    api.get("/", "Accept", "*/*").assertContains("`openapi`");
    api.get("/").assertContains("`openapi`");
    assertEquals(
        page.body(),
        api.sendRaw("GET / HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\nConnection: close\r\n\r\n")
            .split("\r\n\r\n", 2)[1]);
  }

  @Test
  void theReferenceIsAPageUnderTheSamePolicy() {
    Answer page = api.get("/docs");

    page.assertContains("/console/docs.js");
    assertEquals("text/html; charset=utf-8", page.header("Content-Type"));
    assertEquals(
        api.get("/console/index.html").header("Content-Security-Policy"),
        page.header("Content-Security-Policy"));
    api.get("/docs/x").assertStatus(404);
  }

  @Test
  void filesAreSentAgainOnlyWhenTheyHaveChanged() {
    Answer first = api.get("/console/lit-html.js");
    String tag = first.headers().firstValue("ETag").orElseThrow();

    assertEquals("text/javascript; charset=utf-8", first.header("Content-Type"));
    assertFalse(first.body().isEmpty());
    api.get("/console/lit-html.js", "If-None-Match", tag).assertStatus(304);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/docs", "/console/lit-html.js", "/console/none.js"})
  void aHeadIsAnsweredAsTheGet(String path) {
    Answer get = api.get(path, "Accept", "text/html");
    Answer head = api.send("HEAD", path, null, "Accept", "text/html");

    head.assertStatus(get.status());
    assertEquals("", head.body());
    for (String header : new String[] {"Content-Type", "ETag", "Content-Length", "Vary"}) {
      assertEquals(get.headers().allValues(header), head.headers().allValues(header), header);
    }
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
    api.get(path).assertStatus(404);
    api.get("/console/%2e%2e%2fopenapi.yaml").assertStatus(400);
  }

  @Test
  void filesOfADirectoryAreReadEachTime(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("app.css"), "a {}");
    System.setProperty("carillon.console", directory.toString());
    try (ApiServer live = new ApiServer()) {
      String before = live.get("/console/app.css").assertStatus(200).body();
      Files.writeString(file, "b {}");
      String after = live.get("/console/app.css").assertStatus(200).body();

      assertEquals(List.of("a {}", "b {}"), List.of(before, after));
      live.get("/console/lit-html.js").assertStatus(200);
      live.get("/console/app.js").assertStatus(404);
    } finally {
      System.clearProperty("carillon.console");
    }
  }
}
