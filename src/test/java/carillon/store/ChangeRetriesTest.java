package carillon.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import org.junit.jupiter.api.Test;

class ChangeRetriesTest {
  private final Exception inner = new Exception("inner");
  private final Exception outer = new Exception("outer");
  private final Exception told = new Exception("told");

  private final ChangeRetries retries = new ChangeRetries();
  private int tries;

  @Test
  void repetitionsWithinOneAnotherAreFiveTriesInAll() {
    Future<Void> changed =
        retries.repeat(
            failure -> failure == outer,
            failure -> told,
            () ->
                retries.repeat(
                    failure -> failure == inner, () -> failing(tries % 2 == 0 ? inner : outer)));

    assertSame(inner, changed.cause());
    assertEquals(5, tries);
  }

  @Test
  void whoFailsInTheLastTryIsToldInTheWordsOfTheCaller() {
    Future<Void> changed =
        retries.repeat(failure -> failure == outer, failure -> told, () -> failing(outer));

    assertSame(told, changed.cause());
    assertEquals(5, tries);
  }

  @Test
  void anotherFailureIsNotRepeated() {
    Future<Void> changed =
        retries.repeat(failure -> failure == outer, failure -> told, () -> failing(inner));

    assertSame(inner, changed.cause());
    assertEquals(1, tries);
  }

  @Test
  void theFirstTryIsTheOneBeforeAnyRetry() {
    assertTrue(retries.isFirstTry());
    retries.again(outer, () -> failing(outer));
    assertFalse(retries.isFirstTry());
  }

  private Future<Void> failing(Exception failure) {
    tries++;
    return Future.failedFuture(failure);
  }
}
