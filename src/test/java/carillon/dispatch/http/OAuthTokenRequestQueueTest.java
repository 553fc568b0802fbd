package carillon.dispatch.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.dispatch.call.AuthenticationException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OAuthTokenRequestQueueTest {
  private final OAuthTokenRequestQueue queue = new OAuthTokenRequestQueue(8, 2, 100);
  private final List<String> begun = new ArrayList<>();
  private final List<Promise<String>> running = new ArrayList<>();

  private Future<String> ask(String collection) {
    return queue.request(
        collection,
        () -> {
          begun.add(collection);
          Promise<String> answer = Promise.promise();
          running.add(answer);
          return answer.future();
        });
  }

  @Test
  void oneCollectionHasTwoOfTheEightPlaces() {
    for (int i = 0; i < 50; i++) {
      ask("greedy");
    }

    Future<String> other = ask("other");

    assertEquals(List.of("greedy", "greedy", "other"), begun);
    running.get(2).complete("token");
    assertTrue(other.succeeded());
    assertEquals(3, begun.size());
  }

  @Test
  void noMoreThanEightRunAtOnceAndThoseThatWaitTakeTurns() {
    for (String collection : List.of("a", "b", "c", "d", "e", "f")) {
      ask(collection);
      ask(collection);
    }
    assertEquals(8, begun.size());

    for (int i = 0; i < 4; i++) {
      running.get(i).fail("no");
    }

    assertEquals(List.of("e", "f", "e", "f"), begun.subList(8, 12));
  }

  @Test
  void aCollectionWithTooManyWaitingIsToldSo() {
    Future<String> last = null;
    for (int i = 0; i < 102; i++) {
      last = ask("greedy");
    }
    assertFalse(last.isComplete());

    assertInstanceOf(AuthenticationException.class, ask("greedy").cause());
    assertFalse(ask("other").isComplete());
  }
}
