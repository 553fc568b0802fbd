package carillon.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The Redis that a {@link CarillonProcess} started.
 *
 * @param pid of redis-server itself
 * @param socket on which it listens
 */
public record EmbeddedChild(long pid, Path socket) {

  /** Stops it where it is, so that it does not answer. */
  public void pause() {
    RedisServer.signal(pid, "STOP");
  }

  /** Lets it go on after {@link #pause}. */
  public void resume() {
    RedisServer.signal(pid, "CONT");
  }

  /** False also for one that has ended and that nobody has buried yet. */
  public boolean isRunning() {
    return ProcessHandle.of(pid).isPresent() && !isZombie();
  }

  private boolean isZombie() {
    Path stat = Path.of("/proc", Long.toString(pid), "stat");
    try {
      return Files.exists(stat) && Files.readString(stat).contains(") Z ");
    } catch (IOException e) {
      return true; // it ended between the two looks
    }
  }

  /** Kills it (SIGKILL). */
  public void kill9() {
    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    Await.until("the end of the killed Redis", () -> !isRunning());
  }

  /** The first line of the reply to one inline command. */
  public String ask(String command) {
    return RedisServer.ask(socket, command);
  }
}
