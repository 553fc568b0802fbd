package carillon.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallerTurnsTest {
  private static final int AT_ONCE = 8;
  private static final int MAX_WAITING = 30;
  private static final int MAX_WAITING_OF_CALLER = 20;
  private final CallerTurns turns =
      new CallerTurns("lists", AT_ONCE, MAX_WAITING, MAX_WAITING_OF_CALLER);
  private final List<String> begun = new ArrayList<>();
  private final List<Promise<ApiResponse>> running = new ArrayList<>();

  private Future<ApiResponse> ask(String caller, boolean isGone) {
    return turns.take(
        caller,
        () -> isGone,
        () -> {
          begun.add(caller);
          running.add(Promise.promise());
          return running.get(running.size() - 1).future();
        });
  }

  private void ask(String caller, int times) {
    for (int i = 0; i < times; i++) {
      ask(caller, false);
    }
  }

  private void end(int list) {
    running.get(list).complete(ApiResponse.empty(200));
  }

  @Test
  void soManyAreReadAtOnceAndTheOthersFollowAsThoseEnd() {
    ask("a", AT_ONCE + 2);

    assertEquals(AT_ONCE, begun.size());
    end(3);
    assertEquals(AT_ONCE + 1, begun.size());
    running.get(0).fail("Redis is away");
    assertEquals(AT_ONCE + 2, begun.size());
  }

  @Test
  void callersThatWaitTakeTurns() {
    ask("a", AT_ONCE + 5);
    ask("b", 2);
    ask("c", 1);

    for (int i = 0; i < 6; i++) {
      end(i);
    }

    assertEquals(List.of("a", "b", "c", "a", "b", "a"), begun.subList(AT_ONCE, begun.size()));
  }

  @Test
  void whoIsGoneCostsNothingAndHoldsUpNobody() {
    ask("a", AT_ONCE);
    Future<ApiResponse> gone = ask("a", true);
    ask("a", 1);

    end(0);

    assertEquals(503, ((HttpException) gone.cause()).status());
    assertEquals(AT_ONCE + 1, begun.size());
  }

  /** A recursion over all of them would cause a StackOverflowError. */
  @Test
  void manyWhoAreGoneTakeNoStack() {
    CallerTurns many = new CallerTurns("lists", 1, 100_000, 10_000);
    Promise<ApiResponse> first = Promise.promise();
    many.take("a", () -> false, first::future);
    List<Future<ApiResponse>> gone = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      gone.add(many.take("c" + i % 10, () -> true, first::future));
    }

    first.complete(ApiResponse.empty(200));

    assertTrue(gone.stream().allMatch(Future::failed));
    assertTrue(many.take("a", () -> false, first::future).succeeded());
  }

  @Test
  void workThatEndsImmediatelyTakesNoStackEither() {
    CallerTurns many = new CallerTurns("lists", 1, 100_000, 100_000);
    Promise<ApiResponse> first = Promise.promise();
    many.take("a", () -> false, first::future);
    List<Future<ApiResponse>> others = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      others.add(many.take("a", () -> false, () -> Future.succeededFuture(ApiResponse.empty(204))));
    }

    first.complete(ApiResponse.empty(200));

    assertTrue(others.stream().allMatch(Future::succeeded));
  }

  @Test
  void aListThatThrowsEndsItsTurn() {
    ask("a", AT_ONCE - 1);
    Future<ApiResponse> thrown =
        turns.take(
            "a",
            () -> false,
            () -> {
              throw new IllegalStateException("no such page");
            });

    assertEquals("no such page", thrown.cause().getMessage());
    ask("b", 1);
    assertEquals(AT_ONCE, begun.size());
  }

  @Test
  void aCallerWhoWaitsForTooManyIsRefusedAndOthersAreNot() {
    ask("a", AT_ONCE + MAX_WAITING_OF_CALLER);

    HttpException refusal = assertThrows(HttpException.class, () -> ask("a", false));
    ask("b", 1);
    end(0);
    end(1);

    assertEquals(429, refusal.status());
    assertEquals("b", begun.get(AT_ONCE + 1));
  }

  @Test
  void whenAsManyWaitInAllAsMayOneMoreIsRefused() {
    ask("a", AT_ONCE + MAX_WAITING_OF_CALLER);
    ask("b", MAX_WAITING - MAX_WAITING_OF_CALLER);

    HttpException refusal = assertThrows(HttpException.class, () -> ask("c", false));
    end(0);
    ask("c", 1);

    assertEquals(429, refusal.status());
    assertEquals(AT_ONCE + 1, begun.size());
  }
}
