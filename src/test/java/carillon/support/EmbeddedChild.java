package carillon.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Redis started by a {@link CarillonProcess}.
 *
 * @param pid process id of redis-server itself
 * @param socket socket on which it listens
 */
public record EmbeddedChild(long pid, Path socket) {

  /** Suspends the process, so that it does not answer. */
  public void pause() {
    RedisServer.signal(pid, "STOP");
  }

  /** Resumes the process after {@link #pause}. */
  public void resume() {
    RedisServer.signal(pid, "CONT");
  }

  /** Whether the process runs. False also for a zombie. */
  public boolean isRunning() {
    return ProcessHandle.of(pid).isPresent() && !isZombie();
  }

  private boolean isZombie() {
    Path stat = Path.of("/proc", Long.toString(pid), "stat");
    try {
      return Files.exists(stat) && Files.readString(stat).contains(") Z ");
    } catch (IOException e) {
      return true; // it ended between the two checks
    }
  }

  /** Kills the process (SIGKILL). */
  public void kill9() {
    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    Await.until("the end of the killed Redis", () -> !isRunning());
  }

  /** Returns the first line of the reply to one inline command. */
  public String ask(String command) {
    return RedisServer.ask(socket, command);
  }
}
