package carillon.faults;

import carillon.support.CarillonProcess;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A node of the cluster under test: it is started, killed, paused and started again, and each time
 * the journal is told.
 */
final class Member implements AutoCloseable {
  private static final int TRIES = 3;

  private final String name;
  private final Path dir;
  private final Map<String, String> environment;
  private final List<String> program;
  private final Journal journal;
  private volatile CarillonProcess process;
  private volatile Journal.Open fault;

  Member(
      String name,
      Path dir,
      Map<String, String> environment,
      List<String> program,
      Journal journal) {
    this.name = name;
    this.dir = dir;
    this.environment = environment;
    this.program = program;
    this.journal = journal;
  }

  String name() {
    return name;
  }

  URI base() {
    return process.base();
  }

  long pid() {
    return process.pid();
  }

  /** What it has written to its log since it was started last. */
  String log() {
    return process.output() + process.errors();
  }

  boolean isRunning() {
    return process != null && process.isAlive();
  }

  /** Starts it, for the first time or again, and waits until it is ready. */
  void start() {
    process = started(TRIES);
    if (fault != null) {
      fault.over();
      fault = null;
    }
  }

  /** Started again when it does not start, as a service manager does: Redis may be slow for now. */
  private CarillonProcess started(int tries) {
    try {
      return CarillonProcess.start(dir, environment, program, List.of());
    } catch (AssertionError e) {
      if (tries == 1) {
        throw e;
      }
      return started(tries - 1);
    }
  }

  void kill9() {
    kill9("kill -9");
  }

  void kill9(String why) {
    fault = journal.begin(why + " of " + name, name, true);
    process.kill9();
    fault.silent();
  }

  /** Tells it to stop and waits until it has; fails when it does not end well. */
  void terminate() {
    fault = journal.begin("SIGTERM of " + name, name, false);
    CarillonProcess.Exit exit = process.terminate();
    if (exit.code() != 0) {
      throw new AssertionError(name + " ended with exit code " + exit.code());
    }
  }

  /**
   * Stops it where it is.
   *
   * @param outlastsLease whether for so long that others take over what it has in flight
   */
  void pause(boolean outlastsLease) {
    fault = journal.begin("SIGSTOP of " + name, name, outlastsLease);
    process.pause();
    fault.silent();
  }

  void resume() {
    process.resume();
    fault.over();
    fault = null;
  }

  @Override
  public void close() {
    if (process != null) {
      process.close();
    }
  }
}
