package carillon.support;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** Base of tests of classes that are confined to an event loop. Each test has its own Vert.x. */
@ExtendWith(VertxExtension.class)
public abstract class EventLoopTest {
  protected Vertx vertx;

  @BeforeEach
  void takeVertx(Vertx own) {
    vertx = own;
  }

  /** Begins a step on an event loop. */
  protected <T> Future<T> begin(Supplier<Future<T>> step) {
    return vertx.executeBlocking(() -> null).compose(go -> step.get());
  }

  /** Begins a step on an event loop and waits for its result. */
  protected <T> T on(Supplier<Future<T>> step) {
    return Await.result(begin(step));
  }
}
