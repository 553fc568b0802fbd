package carillon.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Processor time by kind of thread, as Linux tells it. */
final class ThreadTimes {
  private static final long TICK_MILLIS = 10; // USER_HZ is 100 on every Linux that Java runs on
  private static final int USER_TICKS = 11; // of the words behind the name, see proc(5)
  private static final int SYSTEM_TICKS = 12;

  private ThreadTimes() {}

  /**
   * What the threads of a process used whose names begin so.
   *
   * @param name its first 15 characters are what Linux keeps
   * @return zero where there is no /proc
   */
  static Duration of(long pid, String name) {
    Path tasks = Path.of("/proc", Long.toString(pid), "task");
    if (!Files.isDirectory(tasks)) {
      return Duration.ZERO;
    }
    try (Stream<Path> threads = Files.list(tasks)) {
      return Duration.ofMillis(
          TICK_MILLIS * threads.map(ThreadTimes::stat).mapToLong(stat -> ticks(stat, name)).sum());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Empty for a thread that has ended meanwhile. */
  private static String stat(Path thread) {
    try {
      return Files.readString(thread.resolve("stat"));
    } catch (IOException e) {
      return "";
    }
  }

  private static long ticks(String stat, String name) {
    int begin = stat.indexOf('(') + 1;
    int end = stat.lastIndexOf(')');
    if (end < 0 || !stat.substring(begin, end).startsWith(name)) {
      return 0;
    }
    List<String> words = List.of(stat.substring(end + 2).split(" "));
    return Long.parseLong(words.get(USER_TICKS)) + Long.parseLong(words.get(SYSTEM_TICKS));
  }
}
