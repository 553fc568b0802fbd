package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many clients change one job at the same time. */
class ConcurrentChangesTest extends WithCollection {
  private static final int CLIENTS = 48;
  private static final int ROUNDS = 20;

  /** Each change is whole or refused: as many revisions as answers of 200. */
  @Test
  void whoeverIsOvertakenTooOftenIsToldAndHasWrittenNothing() throws Exception {
    api.send("PUT", J, job().json());
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    int refused = 0;
    for (int round = 0; round < ROUNDS && refused == 0; round++) {
      long before = changes();
      List<HttpResponse<String>> answers = patchAtOnce(clients);
      List<HttpResponse<String>> overtaken =
          answers.stream().filter(answer -> answer.statusCode() != 200).toList();
      overtaken.forEach(
          answer ->
              Answers.assertError(
                  409,
                  "Conflict",
                  "Others change job 'j' at the same time; nothing is written. Try again.",
                  answer));
      assertEquals(before + CLIENTS - overtaken.size(), changes());
      refused += overtaken.size();
    }
    clients.shutdownNow();

    assertTrue(refused > 0, "nobody was ever overtaken");
    assertEquals(200, api.send("PATCH", J, change(99)).statusCode());
  }

  private List<HttpResponse<String>> patchAtOnce(ExecutorService clients) throws Exception {
    List<Callable<HttpResponse<String>>> patches =
        IntStream.range(0, CLIENTS)
            .<Callable<HttpResponse<String>>>mapToObj(
                i -> () -> api.send("PATCH", J, change(i + 1)))
            .toList();
    List<HttpResponse<String>> answers = new ArrayList<>();
    for (Future<HttpResponse<String>> answer : clients.invokeAll(patches)) {
      answers.add(answer.get());
    }
    return answers;
  }

  private static String change(int retries) {
    return "{\"action\":{\"retryPolicy\":{\"retryType\":\"fixed\",\"retryInterval\":\"PT1M\",\"retryCount\":"
        + retries % 20
        + "}}}";
  }

  /** How many changes of the job were noted. */
  private long changes() {
    return Long.parseLong(
        api.redis.eval(
            "local n = 0 for p = 0, 3 do n = n + redis.call('XLEN', 'carillon:{' .. p .. '}:audit') end"
                + " return tostring(n)"));
  }
}
