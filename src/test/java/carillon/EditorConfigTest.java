package carillon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Test that all text files follow {@code .editorconfig}. The formatter checks the rest of Java. */
class EditorConfigTest {
  private static final Path ROOT = Path.of("");

  /** Directories that are not in the repository. */
  private static final Set<String> IGNORED =
      Set.of(
          ".git",
          ".idea",
          ".mypy_cache",
          ".settings",
          ".vscode",
          "__pycache__",
          "data",
          "generated",
          "lib",
          "node_modules",
          "target");

  /** Rules of the files that match a pattern. */
  private record Section(PathMatcher files, Map<String, String> rules) {
    static Section of(String pattern) {
      String anywhere = pattern.contains("/") ? pattern : "{" + pattern + ",**/" + pattern + "}";
      // Java does not nest groups, so a group of the pattern becomes several patterns.
      String glob = pattern.contains("{") ? nested(pattern) : anywhere;
      return new Section(FileSystems.getDefault().getPathMatcher("glob:" + glob), new HashMap<>());
    }

    private static String nested(String pattern) {
      int open = pattern.indexOf('{');
      int close = pattern.indexOf('}');
      List<String> all = new ArrayList<>();
      for (String choice : pattern.substring(open + 1, close).split(",", -1)) {
        String one = pattern.substring(0, open) + choice + pattern.substring(close + 1);
        all.addAll(List.of(one, "**/" + one));
      }
      return "{" + String.join(",", all) + "}";
    }
  }

  private static List<Section> sections() throws IOException {
    List<Section> sections = new ArrayList<>();
    for (String line : Files.readAllLines(ROOT.resolve(".editorconfig"))) {
      if (line.startsWith("[")) {
        sections.add(Section.of(line.substring(1, line.length() - 1)));
      } else if (line.contains("=") && !sections.isEmpty()) {
        String[] rule = line.split("=", 2);
        sections.get(sections.size() - 1).rules().put(rule[0].strip(), rule[1].strip());
      }
    }
    return sections;
  }

  @Test
  void filesFollowTheRules() throws IOException {
    List<Section> sections = sections();
    List<String> faults = new ArrayList<>();
    for (Path file : files()) {
      Map<String, String> rules = new HashMap<>();
      sections.stream()
          .filter(section -> section.files().matches(file))
          .forEach(section -> rules.putAll(section.rules()));
      check(file, rules, faults);
    }
    assertEquals(List.of(), faults);
  }

  private static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        Path.of("."),
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
            return IGNORED.contains(dir.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) {
              files.add(file.normalize());
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }

  private static void check(Path file, Map<String, String> rules, List<String> faults)
      throws IOException {
    String text;
    try {
      text = Files.readString(file);
    } catch (CharacterCodingException e) {
      return; // not a text
    }
    if (text.indexOf('\0') >= 0 || text.isEmpty() || file.getFileName().toString().equals(".git")) {
      return;
    }
    if (text.contains("\r") && "lf".equals(rules.get("end_of_line"))) {
      faults.add(file + ": a carriage return");
    }
    if (!text.endsWith("\n") && "true".equals(rules.get("insert_final_newline"))) {
      faults.add(file + ": no newline at its end");
    }
    List<String> lines = text.lines().toList();
    boolean isCode = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      isCode ^= line.startsWith("```");
      checkLine(file + ":" + (i + 1), line, isCode, rules, faults);
    }
  }

  private static void checkLine(
      String place, String line, boolean isCode, Map<String, String> rules, List<String> faults) {
    if ("true".equals(rules.get("trim_trailing_whitespace")) && line.matches(".*[ \\t]")) {
      faults.add(place + ": white space at its end");
    }
    if ("space".equals(rules.get("indent_style")) && line.matches(" *\\t.*")) {
      faults.add(place + ": a tab before its text");
    }
    boolean isWrapped = place.contains(".md:") && !isCode && !line.startsWith("|");
    if (isWrapped && line.length() > Integer.parseInt(rules.get("max_line_length"))) {
      faults.add(place + ": longer than " + rules.get("max_line_length"));
    }
  }
}
