package carillon.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ChildProcessTest {
  private static final long OWN = ProcessHandle.current().pid();

  @Test
  void theTimeOfThreadsOfANameIsTold() throws InterruptedException {
    assumeTrue(Files.isDirectory(Path.of("/proc/self/task")), "there is no /proc here");
    AtomicBoolean enough = new AtomicBoolean();
    Thread busy =
        new Thread(
            () -> {
              while (!enough.get()) {
                Thread.onSpinWait();
              }
            },
            "a busy (thread) 1");
    busy.start();
    Duration told = Duration.ZERO;
    long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (told.isZero() && System.nanoTime() < deadline) {
      told = ChildProcess.ThreadTimes.of(OWN, "a busy (thread)");
    }
    enough.set(true);
    busy.join();

    assertTrue(told.toMillis() >= 10, told::toString);
    assertEquals(Duration.ZERO, ChildProcess.ThreadTimes.of(OWN, "no such thread"));
  }

  @Test
  void aProcessThatIsGoneHasUsedNothing() {
    assertEquals(Duration.ZERO, ChildProcess.ThreadTimes.of(Integer.MAX_VALUE, ""));
  }
}
