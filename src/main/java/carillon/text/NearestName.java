package carillon.text;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Search for the known name that is most similar to a mistyped one. */
public final class NearestName {
  /** Maximum number of wrong letters. With more of them it is probably another name. */
  private static final int MAX_EDITS = 3;

  private NearestName() {}

  /**
   * Returns the known name with the fewest wrong letters, else the shortest one that contains all
   * words of the given one: {@code http.port} contains those of {@code port}. Empty if no name is
   * similar.
   */
  public static Optional<String> of(String given, Collection<String> known) {
    return known.stream()
        .filter(name -> edits(given, name) <= Math.min(MAX_EDITS, given.length() / 3))
        .min(
            Comparator.<String>comparingInt(name -> edits(given, name)).thenComparing(name -> name))
        .or(() -> withTheWordsOf(given, known));
  }

  private static Optional<String> withTheWordsOf(String given, Collection<String> known) {
    List<String> words = words(given);
    return known.stream()
        .filter(name -> words(name).containsAll(words))
        .min(Comparator.comparingInt(String::length).thenComparing(name -> name));
  }

  private static List<String> words(String name) {
    return Arrays.asList(name.toLowerCase(Locale.ROOT).split("[._]"));
  }

  /** Levenshtein distance: number of letters to insert, delete or replace. */
  private static int edits(String from, String to) {
    int[] row = new int[to.length() + 1];
    Arrays.setAll(row, j -> j);
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[to.length()];
  }
}
