package carillon.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.support.Await;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final Progress progress =
      new Progress(new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));

  @Test
  void anOutcomeIsWaitedForThoughItsEventLoopIsBusy() throws Exception {
    Vertx vertx = Vertx.vertx();
    try {
      Context context = vertx.getOrCreateContext();
      Future<String> outcome = completedOn(context);
      CountDownLatch busy = new CountDownLatch(1);
      context.runOnContext(go -> awaitUnchecked(busy));
      CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS).execute(busy::countDown);

      assertEquals("done", progress.await(outcome, () -> "working"));
    } finally {
      Await.result(vertx.close());
    }
  }

  private static Future<String> completedOn(Context context) throws Exception {
    CompletableFuture<Future<String>> made = new CompletableFuture<>();
    context.runOnContext(
        go -> {
          Promise<String> promise =
              ((io.vertx.core.internal.ContextInternal) context).<String>promise();
          promise.complete("done");
          made.complete(promise.future());
        });
    return made.get(30, TimeUnit.SECONDS);
  }

  private static void awaitUnchecked(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
