package carillon.load;

import static org.junit.jupiter.api.Assertions.assertNotEquals;

import carillon.support.Await;
import carillon.support.EventLoopTest;
import org.junit.jupiter.api.Test;

/** Test of several targets of one Vert.x. */
class TargetTest extends EventLoopTest {
  @Test
  void eachTargetListensOnAPortOfItsOwn() {
    Target one = Await.result(Target.listen(vertx, 2, call -> call.answer(200)));
    Target other = Await.result(Target.listen(vertx, 2, call -> call.answer(200)));

    assertNotEquals(one.uri(), other.uri());
  }
}
