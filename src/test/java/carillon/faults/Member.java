package carillon.faults;

import carillon.support.CarillonProcess;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Node of the cluster under test. It is started, killed, paused and restarted, and each event is
 * written into the journal.
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

  /** Returns the log output since the last start. */
  String log() {
    return process.output() + process.errors();
  }

  boolean isRunning() {
    return process != null && process.isAlive();
  }

  /** Starts the node, for the first time or again, and waits until it is ready. */
  void start() {
    process = started(TRIES);
    if (fault != null) {
      fault.over();
      fault = null;
    }
  }

  /** Retries a failed start as a service manager does, because Redis may be slow at the moment. */
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

  /** Sends SIGTERM and waits for the end of the process; fails unless it exits with 0. */
  void terminate() {
    fault = journal.begin("SIGTERM of " + name, name, false);
    CarillonProcess.Exit exit = process.terminate();
    if (exit.code() != 0) {
      throw new AssertionError(name + " ended with exit code " + exit.code());
    }
  }

  /**
   * Stops the process with SIGSTOP.
   *
   * @param outlastsLease whether the pause is so long that other nodes take over its calls in
   *     flight
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
