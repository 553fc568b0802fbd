package carillon.redis.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Child process that cannot outlive this process, and does not receive its signals. Only this user
 * may read the files that it makes.
 *
 * <p>The child is a shell that starts the program, prints its process id, waits for it and passes
 * its exit code on. A subshell reads the shell's standard input, a pipe from this process to which
 * nothing is ever written. The pipe ends with this process, even after {@code kill -9}. Then the
 * subshell ends the program (SIGTERM; SIGKILL after ten seconds).
 *
 * <p>Ctrl-C in a terminal sends SIGINT to the whole foreground process group. Redis would stop
 * immediately, while Carillon still finishes its work; {@code trap '' INT} does not help, because
 * Redis installs its own handlers. So the shell first moves into a separate session, by {@code
 * setsid} (Linux) or, if that is missing (macOS), by perl. With neither, Ctrl-C ends both processes
 * immediately. A service manager that signals every process of a service, in any session, needs
 * another setting: for systemd, {@code KillMode=mixed}.
 */
final class TetheredProcess {
  private static final String NEW_SESSION =
      """
      trap '' INT TERM HUP QUIT
      if command -v setsid >/dev/null 2>&1; then
        exec setsid /bin/sh -c "$@"
      elif command -v perl >/dev/null 2>&1; then
        exec perl -e 'use POSIX (); POSIX::setsid(); exec @ARGV; die' /bin/sh -c "$@"
      fi
      exec /bin/sh -c "$@"
      """;
  private static final String SUPERVISE =
      """
      umask 077
      exec 3<&0 </dev/null
      "$@" 3<&- >/dev/null &
      program=$!
      (
        read -r end <&3
        kill $program
        for second in 1 2 3 4 5 6 7 8 9 10; do
          sleep 1
          kill -0 $program || exit
        done
        kill -9 $program
      ) >/dev/null 2>&1 &
      leash=$!
      echo $program
      wait $program
      code=$?
      kill -9 $leash
      exit $code
      """;

  /**
   * Prefix of the variables of the settings. They include keys, which the program need not know.
   */
  private static final String OURS = "CARILLON_";

  private final Process shell;
  private final long pid;

  private TetheredProcess(Process shell, long pid) {
    this.shell = shell;
    this.pid = pid;
  }

  /**
   * Starts a program.
   *
   * @param errors file to which its standard error is appended
   * @param command the program's path and arguments
   */
  static TetheredProcess start(Path errors, List<String> command) throws IOException {
    List<String> all = new ArrayList<>();
    all.addAll(List.of("/bin/sh", "-c", NEW_SESSION, "carillon", SUPERVISE, "carillon-leash"));
    all.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(all).redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()));
    builder.environment().keySet().removeIf(name -> name.startsWith(OURS));
    Process shell = builder.start();
    BufferedReader out = shell.inputReader(StandardCharsets.US_ASCII);
    String pid = out.readLine();
    if (pid == null) {
      throw new EmbeddedRedisException("cannot start " + command.get(0) + ", see " + errors);
    }
    return new TetheredProcess(shell, Long.parseLong(pid.trim()));
  }

  /** The process id of the program itself. */
  long pid() {
    return pid;
  }

  /**
   * The shell: it ends when the program has ended, with its exit code (128 + signal when it was
   * killed).
   */
  Process process() {
    return shell;
  }

  /** Ends the program: SIGTERM. */
  void terminate() {
    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
  }

  /** Ends the program: SIGKILL. */
  void kill() {
    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
  }
}
