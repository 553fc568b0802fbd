package carillon.api.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.ApiKey;
import carillon.access.ApiKeyToken;
import carillon.api.ApiServer;
import carillon.api.RawHttp;
import carillon.api.TestLimits;
import carillon.auth.LoginOptions;
import carillon.support.Await;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Test of requests whose bodies wait for a worker pool. The test occupies the pool. */
@Tag("redis")
class WaitingBodiesTest {
  private static final int UNCOUNTED = 8192;
  private static final String DOCUMENT = "{\"recurrence\":{\"cron\":\"0 * * * *\"}}";

  /** Heap size of which an eighth, 64 KB, is the budget of bodies. */
  private static final long HEAP = 512 * 1024;

  private final AdmissionLimits admission = TestLimits.admission(AllowedHosts.any(), HEAP);
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final CountDownLatch blocked = new CountDownLatch(1);

  /** Occupies all threads of a pool until the latch opens. */
  private void block(ApiServer api, String pool, int threads) throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(threads);
    var workers = api.vertx().createSharedWorkerExecutor(pool, threads);
    for (int i = 0; i < threads; i++) {
      workers.executeBlocking(
          () -> {
            begun.countDown();
            blocked.await();
            return "";
          },
          false);
    }
    begun.await();
  }

  private static String padded(String document, int length) {
    return document + " ".repeat(length - document.length());
  }

  private static Socket send(ApiServer api, String method, String path, String body)
      throws IOException {
    Socket socket = RawHttp.connect(api.port());
    String head =
        "%s %s HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n\r\n"
            .formatted(method, path, body.length());
    socket.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private void awaitTaken(long bytes) {
    Await.until("bytes of bodies", () -> admission.bodies().taken() == bytes);
  }

  private void reset(List<Socket> sockets) throws IOException {
    for (Socket socket : sockets) {
      socket.setSoLinger(true, 0);
      socket.close();
    }
    Await.until("the end of the connections", () -> admission.connections() == 0);
  }

  @Test
  void aBodyCountsUntilItsWorkEndsThoughItsClientIsGone() throws Exception {
    try (ApiServer api = new ApiServer(ApiServer.OPEN, admission)) {
      block(api, "explanations", 1);
      List<Socket> sockets = new ArrayList<>();
      for (int i = 0; i < 7; i++) {
        sockets.add(send(api, "POST", "/preview", padded(DOCUMENT, UNCOUNTED + 8000)));
      }
      awaitTaken(7 * 8000);

      reset(sockets);

      assertEquals(7 * 8000, admission.bodies().taken());
      String large = padded(DOCUMENT, UNCOUNTED + 16_000);
      api.put("/jobcollections/c/jobs/j", large).assertStatus(503).assertContains("ServerBusy");
      blocked.countDown();
      awaitTaken(0);
      api.post("/preview", DOCUMENT).assertStatus(200);
    }
  }

  @Test
  void soDoesTheBodyOfACertificateThatIsRead() throws Exception {
    try (ApiServer api = new ApiServer(ApiServer.OPEN, admission)) {
      block(api, "certificates", 2);
      String job =
          ("{\"action\":{\"type\":\"https\",\"request\":{\"uri\":\"https://h/\",\"method\":\"GET\","
                  + "\"authentication\":{\"type\":\"ClientCertificate\",\"pfx\":\"%s\","
                  + "\"password\":\"p\"}}}}")
              .formatted("AAAA".repeat(4000));
      Socket socket = send(api, "PUT", "/jobcollections/c/jobs/j", job);
      awaitTaken(job.length() - UNCOUNTED);

      reset(List.of(socket));

      assertEquals(job.length() - UNCOUNTED, admission.bodies().taken());
      blocked.countDown();
      awaitTaken(0);
    }
  }

  @Test
  void theQueueOfACallerIsBounded() throws Exception {
    try (ApiServer api = new ApiServer(ApiServer.OPEN, admission)) {
      block(api, "explanations", 1);
      List<CompletableFuture<HttpResponse<String>>> answers =
          Stream.generate(() -> preview(api, "", DOCUMENT)).limit(200).toList();

      Await.until(
          "refusals of what is too much",
          () -> answers.stream().filter(CompletableFuture::isDone).count() >= 200 - 2 * 41);
      blocked.countDown();

      List<Integer> statuses =
          answers.stream().map(answer -> answer.join().statusCode()).distinct().sorted().toList();
      assertEquals(List.of(200, 429), statuses);
    }
  }

  /** The body of the one is shorter, so that the budget shows whether it still waits. */
  @Test
  void callersTakeTurns() throws Exception {
    ApiKeyToken many = ApiKeyToken.random();
    ApiKeyToken one = ApiKeyToken.random();
    LoginOptions login =
        ApiServer.keys(
            List.of(ApiKey.ofOperator(many), ApiKey.ofOperator(one)), Duration.ofSeconds(5), false);
    String counted = padded(DOCUMENT, UNCOUNTED + 100);
    String half = padded(DOCUMENT, UNCOUNTED + 50);
    List<Long> taken = new CopyOnWriteArrayList<>();
    try (ApiServer api = ApiServer.single(login, admission)) {
      block(api, "explanations", 1);
      List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        answers.add(preview(api, many.reveal(), counted));
      }
      awaitTaken(40 * 100);
      answers.add(preview(api, one.reveal(), half));
      awaitTaken(40 * 100 + 50);

      noteBetweenPiecesOfWork(api, taken);
      blocked.countDown();
      answers.forEach(CompletableFuture::join);

      long left = taken.stream().filter(bytes -> bytes % 100 == 0).findFirst().orElseThrow();
      assertTrue(left > 30 * 100, taken::toString);
    }
  }

  /**
   * Notes the bytes of bodies that still wait, in the only thread of the pool. At most one piece of
   * work runs between two notes, because the server submits the next one only after the end of the
   * previous one.
   */
  private void noteBetweenPiecesOfWork(ApiServer api, List<Long> taken) {
    api.vertx()
        .createSharedWorkerExecutor("explanations", 1)
        .executeBlocking(
            () -> {
              blocked.await();
              taken.add(admission.bodies().taken());
              if (taken.get(taken.size() - 1) > 0) {
                noteBetweenPiecesOfWork(api, taken);
              }
              return "";
            },
            false);
  }

  private CompletableFuture<HttpResponse<String>> preview(
      ApiServer api, String key, String document) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api.port() + "/preview"))
            .POST(HttpRequest.BodyPublishers.ofString(document));
    return client.sendAsync(
        key.isEmpty() ? request.build() : request.header("api-key", key).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void previewsAndExplanationsAreSmall() {
    String large = padded(DOCUMENT, 16 * 1024 + 1);
    try (ApiServer api = new ApiServer(ApiServer.OPEN, admission)) {
      api.post("/preview", large).assertStatus(413).assertContains("16384 bytes");
      api.post("/explain", large).assertStatus(413);
      api.post("/preview", padded(DOCUMENT, 16 * 1024)).assertStatus(200);
    }
  }
}
