package carillon.faults;

import carillon.support.CarillonProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

/**
 * Bug that is planted to see that the checker finds it. It is a changed script or class, placed
 * before the product's own on the class path. Otherwise the scenario writes into Redis the data
 * that the bug would leave there.
 */
@SuppressWarnings("ImmutableEnumChecker") // a list that is a copy, a predicate without state
enum Planted {
  /** Claimed entries stay in due and are claimed again. */
  CLAIM_WITHOUT_FENCE(
      "claim-without-fence",
      found -> found.unexplained() > 0,
      new Edit(
          "claim_due",
          "  taken[#taken + 1] = member\n  if kind == 'run'",
          """
                  local again = kind == 'job' and at[2] and tonumber(at[2]) % 5 == 0
                    and redis.call('HINCRBY', prefix .. key, 'twice', 1) == 1
                  if not again then taken[#taken + 1] = member end
                  if kind == 'run'""")),
  /** Claimed entries count as done before they are sent, so they are lost when their node dies. */
  FINISH_BEFORE_SEND(
      "finish-before-send",
      found -> found.lost() > 0,
      new Edit("claim_due", "checked_call('HSET', claims, unpack(claimed))", ""),
      new Edit("schedule_next", "redis.call('HGET', claims, claim)", "'1'"),
      new Edit(
          "finish",
          "if redis.call('HDEL', claims, claim) == 0 then",
          "if redis.call('HDEL', claims, claim) == 2 then")),
  SKIPPED_RE_ARM(
      "next-not-scheduled",
      found -> found.lost() > 0,
      new Edit(
          "schedule_next",
          "if next_iso ~= '' then redis.call('ZADD'",
          "if next_iso ~= '' and occurrence ~= '4' then redis.call('ZADD'")),
  /** A claim takes nothing while a marker key exists. */
  PURGES_FIRST(
      "purges-first",
      found -> found.tooLate() > 0,
      Edit.first(
          "claim_due",
          "if redis.call('EXISTS', '" + Planted.BUSY + "') == 1 then ARGV[1] = '0' end")),
  /** A change based on an outdated read of the job schedules an instant that was already called. */
  STALE_NEXT("stale-next", found -> found.phantom() + found.unexplained() > 0),
  /** An entry that was claimed again is released a second time, while its call is in flight. */
  BLIND_RELEASE("blind-release", found -> found.unexplained() > 0),
  /** A node uses its own clock, which is fast, instead of the clock of Redis. */
  NODE_CLOCK("node-clock", found -> found.early() > 0);

  /** Marker key of {@link #PURGES_FIRST}. */
  static final String BUSY = "carillon:busy";

  /** End of the line before the first line that is not a comment. */
  private static final Pattern FIRST_LINE = Pattern.compile("\n(?!--)");

  private static final String MAIN = "carillon.Main";
  private static final List<String> QUICK_START =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private final String word;
  private final Predicate<Verdict> symptom;
  private final List<Edit> edits;

  /**
   * Replaces a text of a script by another. An empty {@code from} inserts at the start of the
   * script.
   */
  private record Edit(String script, String from, String to) {
    static Edit first(String script, String text) {
      return new Edit(script, "", text);
    }

    String in(String text) {
      if (!text.contains(from)) {
        throw new IllegalStateException("the bug no longer fits " + script + ": " + this);
      }
      return from.isEmpty()
          ? FIRST_LINE.matcher(text).replaceFirst(Matcher.quoteReplacement("\n" + to + "\n"))
          : text.replace(from, to);
    }
  }

  Planted(String word, Predicate<Verdict> symptom, Edit... edits) {
    this.word = word;
    this.symptom = symptom;
    this.edits = List.of(edits);
  }

  /** Returns its name in scenarios. */
  String word() {
    return word;
  }

  /** Whether the checker found the symptom of this bug. */
  boolean isFound(Verdict verdict) {
    return symptom.test(verdict);
  }

  /**
   * Returns the command of a node, with or without a bug, with options for a quick start instead of
   * a high throughput.
   */
  static List<String> program(Optional<Planted> bug, Path dir) {
    String front = bug.map(planted -> planted.front(dir) + ":").orElse("");
    return List.of(
        QUICK_START.get(0), QUICK_START.get(1), "-cp", front + CarillonProcess.jar(), MAIN);
  }

  /**
   * Writes the changed files and returns their directory, which precedes the product on the class
   * path.
   */
  Path front(Path dir) {
    Path front = dir.resolve(word);
    try {
      Files.createDirectories(front.resolve("lua"));
      for (Edit edit : edits) {
        apply(edit, front.resolve("lua").resolve(edit.script() + ".lua"));
      }
      if (this == NODE_CLOCK) {
        Path source = front.resolve("RedisClock.java");
        Files.write(source, read("/planted/" + word + "/RedisClock.java"));
        compile(source, front);
      }
      return front;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void apply(Edit edit, Path file) throws IOException {
    byte[] before =
        Files.exists(file) ? Files.readAllBytes(file) : read("/lua/" + file.getFileName());
    String text = new String(before, StandardCharsets.UTF_8);
    Files.writeString(file, edit.in(text));
  }

  private static byte[] read(String resource) throws IOException {
    try (InputStream in = Planted.class.getResourceAsStream(resource)) {
      return in.readAllBytes();
    }
  }

  private static void compile(Path source, Path into) {
    List<String> options =
        List.of("-d", into.toString(), "-cp", CarillonProcess.jar(), source.toString());
    int code =
        ToolProvider.getSystemJavaCompiler().run(null, null, null, options.toArray(String[]::new));
    if (code != 0) {
      throw new IllegalStateException("cannot compile " + source);
    }
  }
}
