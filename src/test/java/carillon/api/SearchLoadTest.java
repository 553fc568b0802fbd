package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Test of many concurrent searches of a large collection, together with requests of others. */
@Tag("alone")
class SearchLoadTest extends WithCollection {
  private static final int NAMES = 60_000;
  private static final int PARTITIONS = 4;
  private static final int SEARCHES = 60;

  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeEach
  void fill() {
    api.put(J, ONCE);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      api.redis.eval(
          ("for i = 1, %1$d do redis.call('ZADD', 'carillon:{%2$d}:jobs:default/default/c', 0,"
                  + " 'enabled/x' .. i .. '-%2$d') end return 'OK'")
              .formatted(NAMES / PARTITIONS, partition));
    }
  }

  @Test
  void othersAreAnsweredWhileSearchesWaitForTheirTurn() {
    List<CompletableFuture<HttpResponse<String>>> searches =
        Stream.generate(() -> get(C + "/search?lastOutcome=failed")).limit(SEARCHES).toList();
    int answered = 0;
    do {
      assertEquals(200, get(J).join().statusCode());
      answered++;
    } while (searches.stream().anyMatch(search -> !search.isDone()));

    List<HttpResponse<String>> answers = searches.stream().map(CompletableFuture::join).toList();
    List<HttpResponse<String>> refused =
        answers.stream().filter(answer -> answer.statusCode() == 429).toList();
    assertEquals(
        List.of(200, 429),
        answers.stream().map(HttpResponse::statusCode).distinct().sorted().toList());
    assertTrue(refused.stream().allMatch(a -> a.headers().firstValue("Retry-After").isPresent()));
    int others = answered;
    assertTrue(others > 2, () -> others + " answered before the last search");
    assertEquals(200, get(C + "/search?name=x1-").join().statusCode());
  }

  /** A search by state alone runs one script in each partition. */
  @Test
  void aSearchThatIsRefusedAsksRedisForNothing() {
    String search = C + "/search?lastOutcome=failed";
    assertEquals(200, get(search).join().statusCode());
    long before = scripts();
    assertEquals(200, get(search).join().statusCode());
    long ofOne = scripts() - before;
    before = scripts();

    List<CompletableFuture<HttpResponse<String>>> searches =
        Stream.generate(() -> get(search)).limit(2 * SEARCHES).toList();
    long answered = searches.stream().filter(one -> one.join().statusCode() == 200).count();
    long asked = scripts() - before;

    assertTrue(answered < 2 * SEARCHES, "none was refused");
    assertTrue(
        asked <= (answered + 1) * ofOne, () -> asked + " scripts for " + answered + " of " + ofOne);
  }

  private long scripts() {
    return Long.parseLong(
        api.redis.eval(
            "local n = 0 for c in string.gmatch(redis.call('INFO', 'commandstats'),"
                + " 'cmdstat_evalsha:calls=(%d+)') do n = n + c end return tostring(n)"));
  }

  @Test
  void aSearchFindsEveryNameOnceHoweverManyPagesItTakes() {
    List<String> bodies = new ArrayList<>();
    String path = C + "/search?name=x59";
    api.put(C + "/jobs/x5999-job", ONCE);
    while (path != null) {
      String body = get(path).join().body();
      bodies.add(body);
      int link = body.indexOf("\"nextLink\":\"");
      String next = link < 0 ? null : body.substring(link + 12, body.indexOf('"', link + 12));
      path =
          next == null
              ? null
              : URI.create(next).getRawPath() + "?" + URI.create(next).getRawQuery();
    }

    assertEquals(1, bodies.stream().filter(body -> body.contains("\"x5999-job\"")).count());
    assertFalse(bodies.stream().anyMatch(body -> body.contains("\"error\"")), bodies::toString);
  }

  private CompletableFuture<HttpResponse<String>> get(String path) {
    return http.sendAsync(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api.port() + path)).build(),
        BodyHandlers.ofString());
  }
}
