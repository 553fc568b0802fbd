package carillon.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the Java side of every script with the head of its file. */
class ScriptTest {
  private static final Path JAVA = Path.of("src/main/java/carillon");
  private static final Path LUA = Path.of("src/main/resources/lua");

  private static final Pattern DECLARATION =
      Pattern.compile(
          "Script<[^;=]*> ([A-Z_]+) =\\s+Script\\.returning(\\w*)\\(\\s*\"(\\w+)\"(?:, (\\w+)\\.class)?");
  private static final Pattern STEP =
      Pattern.compile(
          "\\b([A-Z_]+)\\s*\\.on\\(|\\bcall\\(([A-Z_]+)\\)"
              + "|\\.(key|keys|shared|arg|args|millis|iso)\\(\\s*\"(\\w+)\",");
  private static final Pattern USED = Pattern.compile("\\b(KEYS|ARGV)\\[(\\d+)]");
  private static final Pattern WORD = Pattern.compile("\\b[A-Z]{3,}\\b");

  /** Script as a source declares it, with the lines of the source. */
  private record Declared(String constant, String form, String script, String words, String text) {
    @Override
    public String toString() {
      return script;
    }
  }

  private static List<String> sources() {
    try (Stream<Path> files = Files.walk(JAVA)) {
      return files.filter(file -> file.toString().endsWith(".java")).map(ScriptTest::read).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String lua(String script) {
    return read(LUA.resolve(script + ".lua"));
  }

  private static List<Declared> scripts() {
    return sources().stream()
        .flatMap(
            text ->
                DECLARATION
                    .matcher(text)
                    .results()
                    .map(
                        found ->
                            new Declared(
                                found.group(1),
                                found.group(2),
                                found.group(3),
                                found.group(4),
                                text)))
        .toList();
  }

  @Test
  void everyScriptFileIsOneScriptConstant() throws IOException {
    try (Stream<Path> files = Files.list(LUA)) {
      List<String> all =
          files
              .filter(file -> !read(file).contains(" (a fragment, "))
              .map(file -> file.getFileName().toString().replace(".lua", ""))
              .sorted()
              .toList();

      assertEquals(all, scripts().stream().map(Declared::script).sorted().toList());
    }
  }

  /**
   * Reduces each run of equal names to one name: a head may describe several arguments together.
   */
  private static List<String> distinctRuns(List<String> names) {
    List<String> runs = new ArrayList<>();
    names.stream()
        .filter(name -> runs.isEmpty() || !runs.get(runs.size() - 1).equals(name))
        .forEach(runs::add);
    return runs;
  }

  /**
   * Returns the names of keys, shared or own arguments that a source gives to a script, in order.
   */
  private static List<String> given(Declared script, String kind) {
    List<String> names = new ArrayList<>();
    boolean isIts = false;
    for (MatchResult step : STEP.matcher(script.text).results().toList()) {
      String begun = step.group(1) == null ? step.group(2) : step.group(1);
      if (begun != null) {
        isIts = begun.equals(script.constant);
      } else if (isIts && kind(step.group(3)).equals(kind)) {
        names.add(step.group(4));
      }
    }
    return names;
  }

  private static String kind(String step) {
    return step.startsWith("key") ? "key" : step.equals("shared") ? "shared" : "own";
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void aCallGivesWhatTheHeadListsInItsOrder(Declared script) {
    Script.Signature head = Script.Signature.of(lua(script.script));

    if (!sharesKeys(script)) {
      assertEquals(listed(head.keys(), head.furtherKeys()), distinctRuns(given(script, "key")));
    }
    assertEquals(distinctRuns(head.shared()), distinctRuns(given(script, "shared")));
    assertEquals(
        listed(head.arguments(), head.furtherArguments()), distinctRuns(given(script, "own")));
  }

  private static List<String> listed(List<String> names, String further) {
    return distinctRuns(
        Stream.concat(names.stream(), Stream.of(further).filter(name -> !name.isEmpty())).toList());
  }

  /** Whether the keys of this script are given in one place for several scripts of its store. */
  private static boolean sharesKeys(Declared script) {
    return script.text.contains("call(" + script.constant + ")");
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void theHeadListsWhatTheScriptUses(Declared script) {
    String text = lua(script.script);
    Script.Signature head = Script.Signature.of(text);

    text.lines()
        .filter(line -> !line.startsWith("--"))
        .flatMap(line -> USED.matcher(line).results())
        .forEach(
            used -> {
              int place = Integer.parseInt(used.group(2)) - 1;
              String name = used.group(1).equals("KEYS") ? head.key(place) : head.argument(place);
              assertFalse(name.isEmpty(), used.group());
            });
  }

  /** Words of the reply are in capitals in the head. */
  @ParameterizedTest
  @MethodSource("scripts")
  void everyWordOfTheReplyIsAConstant(Declared script) {
    if (script.form.equals("Word")) {
      Matcher constants =
          Pattern.compile("enum " + script.words + " \\{(.*?)\\n  }", Pattern.DOTALL)
              .matcher(script.text);
      assertTrue(constants.find(), script.words);
      String uncommented = constants.group(1).replaceAll("(?s)/\\*.*?\\*/", "");
      assertEquals(replies(script), words(uncommented));
    }
  }

  private static Set<String> replies(Declared script) {
    String head =
        lua(script.script)
            .lines()
            .takeWhile(line -> line.startsWith("--"))
            .collect(Collectors.joining("\n"));
    String returns = head.substring(head.indexOf("-- returns"), head.indexOf("-- cost"));
    Set<String> words = words(returns);
    if (script.script.equals("finish")) {
      words.addAll(Set.of("COMPLETED", "FAULTED")); // the states that it returns as they are
    }
    return words;
  }

  private static Set<String> words(String text) {
    return WORD.matcher(text)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
