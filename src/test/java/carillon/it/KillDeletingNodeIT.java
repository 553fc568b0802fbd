package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import carillon.support.CarillonProcess;
import carillon.support.JobJson;
import carillon.support.RedisServer;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Test of a node that is killed while it deletes collections, and another node on the same Redis.
 */
class KillDeletingNodeIT extends ProcessTestBase {
  private static final int COLLECTIONS = 40;
  private static final int JOBS = 250;
  private static final int AT_ONCE = 32;
  private static final String LATER =
      JobJson.get("http://127.0.0.1:9/").startTime("2035-01-01T00:00:00Z").json();

  @Test
  void whatItBeganTheOtherEndsAndNothingIsLeftOrTouchedBesides() {
    try (RedisServer redis = RedisServer.start()) {
      Map<String, String> settings =
          on(redis, "CARILLON_NODE_LEASE", "10s", "CARILLON_NODE_HEARTBEAT", "500ms");
      try (CarillonProcess killed = start(settings);
          CarillonProcess other = start(settings)) {
        fill(killed);

        AtomicInteger answered = new AtomicInteger();
        List<CompletableFuture<?>> deletions = new ArrayList<>();
        for (int c = 0; c < COLLECTIONS; c++) {
          deletions.add(
              killed
                  .sendAsync("DELETE", collection(c), "")
                  .thenAccept(answer -> answered.incrementAndGet())
                  .exceptionally(unknown -> null));
        }
        Await.until("the first answers", () -> answered.get() > 3);
        killed.kill9();
        deletions.forEach(CompletableFuture::join);

        List<Integer> gone =
            IntStream.range(0, COLLECTIONS)
                .filter(c -> other.get(collection(c)).statusCode() == 404)
                .boxed()
                .toList();
        List<Integer> again = gone.subList(0, gone.size() / 2);
        for (int c : again) {
          assertEquals(201, other.send("PUT", collection(c), "{}").statusCode());
          assertTrue(other.get(collection(c) + "/jobs").body().startsWith("{\"value\":[],"));
          assertEquals(201, other.send("PUT", collection(c) + "/jobs/j0", LATER).statusCode());
        }
        int left = (COLLECTIONS - gone.size()) * JOBS + again.size();
        Await.until(
            "the jobs of deleted collections to be gone",
            PATIENCE,
            () -> redis.ask("KEYS carillon:*:job:*").equals("*" + left));

        assertTrue(gone.size() >= answered.get(), () -> gone + " " + answered);
        assertEquals("*0", redis.ask("KEYS carillon:*:deleted:*"));
        assertEquals(left, due(redis));
        for (int c = 0; c < COLLECTIONS; c++) {
          int expected = again.contains(c) ? 1 : gone.contains(c) ? 0 : JOBS;
          assertEquals(expected, jobs(other, c), collection(c));
        }
        System.out.printf(
            "kill -9 amid %d deletions: %d answered, %d gone, %d made again%n",
            COLLECTIONS, answered.get(), gone.size(), again.size());
      }
    }
  }

  private static String collection(int number) {
    return "/jobcollections/c" + number;
  }

  private static void fill(CarillonProcess node) {
    Semaphore room = new Semaphore(AT_ONCE);
    List<CompletableFuture<HttpResponse<String>>> puts = new ArrayList<>();
    for (int c = 0; c < COLLECTIONS; c++) {
      assertEquals(201, node.send("PUT", collection(c), "{}").statusCode());
      for (int j = 0; j < JOBS; j++) {
        room.acquireUninterruptibly();
        puts.add(
            node.sendAsync("PUT", collection(c) + "/jobs/j" + j, LATER)
                .whenComplete((answer, failure) -> room.release()));
      }
    }
    puts.forEach(put -> assertEquals(201, put.join().statusCode(), () -> put.join().body()));
  }

  private static int jobs(CarillonProcess node, int collection) {
    String path = collection(collection) + "/jobs?$skip=";
    int pages = 0;
    int found;
    int all = 0;
    do {
      HttpResponse<String> answer = node.get(path + 100 * pages++);
      if (answer.statusCode() == 404) {
        return 0;
      }
      found = Jobs.read(answer.body()).get("value").size();
      all += found;
    } while (found > 0);
    return all;
  }

  private static int due(RedisServer redis) {
    return IntStream.range(0, 64)
        .map(p -> Integer.parseInt(redis.ask("ZCARD carillon:{" + p + "}:due").substring(1)))
        .sum();
  }
}
