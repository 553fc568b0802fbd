package carillon.bounded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Test of loops with asynchronous steps in sequence. */
class AsyncLoopsTest {
  private static final int MANY = 200_000;
  private static final int SMALL_STACK = 256 * 1024;

  private final Deque<Promise<Boolean>> underWay = new ArrayDeque<>();

  private Future<Boolean> step() {
    Promise<Boolean> step = Promise.promise();
    underWay.add(step);
    return step.future();
  }

  private void complete(int steps) {
    for (int i = 1; i <= steps; i++) {
      underWay.remove().complete(i < steps);
    }
  }

  @Test
  void aLongLoopNeedsNoDeepStack() throws InterruptedException {
    Future<Void> loop = AsyncLoops.whileMore(this::step);
    Thread small = new Thread(null, () -> complete(MANY), "small stack", SMALL_STACK);

    small.start();
    small.join();

    assertTrue(loop.succeeded());
  }

  @Test
  void aStepThatThrowsEndsTheLoop() {
    IllegalStateException fault = new IllegalStateException("fault");
    Deque<Boolean> first = new ArrayDeque<>(List.of(true));
    Future<Void> loop =
        AsyncLoops.whileMore(
            () -> {
              if (first.poll() == null) {
                throw fault;
              }
              return step();
            });

    underWay.remove().complete(true);

    assertEquals(fault, loop.cause());
  }

  @Test
  void aStepThatFailsEndsTheLoop() {
    Future<Void> loop = AsyncLoops.whileMore(this::step);

    underWay.remove().fail("fault");

    assertEquals("fault", loop.cause().getMessage());
  }
}
