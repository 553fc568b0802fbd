package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Test that the links of README and of the pages below {@code src/docs} lead somewhere. */
class LinksTest {
  private static final Path README = Path.of("README.md");
  private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```$");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");
  private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");

  @Test
  void everyRelativeLinkLeadsToAFileAndAHeadingThatExist() throws IOException {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path page : pages()) {
      for (String link : links(page)) {
        links++;
        if (!leadsSomewhere(page, link)) {
          broken.add(page + ": " + link);
        }
      }
    }

    assertEquals(List.of(), broken);
    assertTrue(links > 10, "links were looked for, and found");
  }

  private static boolean leadsSomewhere(Path page, String link) throws IOException {
    String[] parts = link.split("#", 2);
    Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
    if (!Files.exists(target)) {
      return false;
    }
    return parts.length == 1 || headings(target).contains(parts[1]);
  }

  private static List<String> links(Path page) throws IOException {
    return LINK.matcher(prose(page))
        .results()
        .map(match -> match.group(1))
        .filter(link -> !ELSEWHERE.matcher(link).matches())
        .toList();
  }

  /**
   * Returns the headings as anchors, as a browser finds them: "Jobs, and more" is jobs-and-more.
   */
  private static Set<String> headings(Path page) throws IOException {
    Set<String> names = new HashSet<>();
    for (MatchResult heading : HEADING.matcher(prose(page)).results().toList()) {
      names.add(
          heading
              .group(1)
              .strip()
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N} _-]", "")
              .replace(' ', '-'));
    }
    return names;
  }

  private static String prose(Path page) throws IOException {
    return FENCED.matcher(Files.readString(page)).replaceAll("");
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> pages = Files.walk(Path.of("src/docs"))) {
      return Stream.concat(Stream.of(README), pages)
          .filter(page -> page.toString().endsWith(".md"))
          .sorted()
          .toList();
    }
  }
}
