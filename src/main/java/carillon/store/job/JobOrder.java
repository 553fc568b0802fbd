package carillon.store.job;

import static java.util.stream.Collectors.joining;

import carillon.job.name.CollectionName;
import carillon.job.name.IsoInstant;
import carillon.job.name.JobException;
import carillon.job.name.JobState;
import carillon.job.name.Quoted;
import carillon.job.name.WireWord;
import carillon.store.job.JobSearch.Criteria;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/** Order of a list of jobs by a property without an index. Jobs without the property are last. */
public record JobOrder(Property property, boolean isDescending) {
  private static final String ASCENDING = "asc";
  private static final String DESCENDING = "desc";

  /**
   * Separator in a token. No name contains it, so a token of an ordered list is never valid for a
   * list by name.
   */
  private static final String SEPARATOR = "/";

  private static final String ABSENT = "-";

  /** Property of a job, by its name in answers. */
  public enum Property implements WireWord {
    ID("id", "", ""),
    NEXT("nextExecutionTime", "next", ""),
    LAST("lastExecutionTime", "last", ""),
    EXECUTIONS("executionCount", "executions", ""),
    FAILURES("failureCount", "failures", ""),
    /** Number of faulted executions, then of failed attempts. */
    FAULTED("faultedCount", "faulted", "failures");

    private final String word;
    private final String field;
    private final String second;

    Property(String word, String field, String second) {
      this.word = word;
      this.field = field;
      this.second = second;
    }

    @Override
    public String word() {
      return word;
    }

    /** Returns the fields of a job's hash with the property, as arguments of {@code find_jobs}. */
    List<String> fields() {
      return field.isEmpty() ? List.of() : List.of(field, second);
    }
  }

  /**
   * Parses {@code property}, {@code property asc} or {@code property desc}.
   *
   * @return empty for the default order, by name
   */
  public static Optional<JobOrder> parse(String text) {
    String[] words = text.trim().split("\\s+", -1);
    String direction = words.length == 1 ? ASCENDING : words[1].toLowerCase(Locale.ROOT);
    Optional<Property> property =
        Stream.of(Property.values()).filter(one -> one.word.equalsIgnoreCase(words[0])).findFirst();
    if (property.isEmpty()
        || words.length > 2
        || !List.of(ASCENDING, DESCENDING).contains(direction)) {
      throw JobException.invalid(
          "$orderby: '"
              + Quoted.of(text)
              + "' must be one of "
              + Stream.of(Property.values()).map(Property::word).collect(joining(", "))
              + ", which asc or desc may follow");
    }
    JobOrder order = new JobOrder(property.get(), direction.equals(DESCENDING));
    return order.equals(new JobOrder(Property.ID, false)) ? Optional.empty() : Optional.of(order);
  }

  /**
   * Sort key of a job.
   *
   * @param isAbsent whether the job lacks the property
   * @param first first sort value
   * @param second sort value among jobs with the same first one
   * @param name folded name
   */
  record SortKey(boolean isAbsent, long first, long second, String name) {}

  Comparator<SortKey> comparator() {
    Comparator<SortKey> byValue =
        Comparator.comparingLong(SortKey::first).thenComparing(SortKey::second);
    Comparator<SortKey> byName = Comparator.comparing(SortKey::name);
    return Comparator.comparing(SortKey::isAbsent)
        .thenComparing(isDescending ? byValue.reversed() : byValue)
        .thenComparing(property == Property.ID && isDescending ? byName.reversed() : byName);
  }

  /**
   * Returns the sort key of a job.
   *
   * @param first value of the first field, empty text if it is absent
   * @param second value of the second field, likewise
   */
  SortKey keyOf(String name, String state, String first, String second) {
    return switch (property) {
      case ID -> new SortKey(false, 0, 0, name);
      case NEXT, LAST ->
          instant(first)
              // A disabled job keeps its next occurrence, but answers do not show it.
              .filter(at -> property == Property.LAST || !state.equals(JobState.DISABLED.word()))
              .map(at -> new SortKey(false, at.getEpochSecond(), at.getNano(), name))
              .orElse(new SortKey(true, 0, 0, name));
      case EXECUTIONS, FAILURES, FAULTED -> new SortKey(false, number(first), number(second), name);
    };
  }

  /** Returns the instant; empty if it cannot be read. The list shows such a job too, as damaged. */
  private static Optional<Instant> instant(String text) {
    try {
      return text.isEmpty() ? Optional.empty() : Optional.of(IsoInstant.parse(text));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static long number(String text) {
    try {
      return text.isEmpty() ? 0 : Long.parseLong(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Returns the token of a key, which also identifies the list. */
  String token(SortKey key, CollectionName collection, Criteria wanted) {
    return String.join(
        SEPARATOR,
        property.word,
        isDescending ? DESCENDING : ASCENDING,
        digest(collection, wanted),
        key.isAbsent ? ABSENT : Long.toString(key.first),
        Long.toString(key.second),
        key.name);
  }

  /** Returns the key in a token of this list. */
  SortKey readToken(String token, CollectionName collection, Criteria wanted) {
    String[] parts = token.split(SEPARATOR, -1);
    if (parts.length == 6
        && parts[0].equals(property.word)
        && parts[1].equals(isDescending ? DESCENDING : ASCENDING)
        && parts[2].equals(digest(collection, wanted))
        && !parts[5].isEmpty()) {
      try {
        boolean isAbsent = parts[3].equals(ABSENT);
        long first = isAbsent ? 0 : Long.parseLong(parts[3]);
        return new SortKey(isAbsent, first, Long.parseLong(parts[4]), parts[5]);
      } catch (NumberFormatException e) {
        // Reported below, like any other invalid token.
      }
    }
    throw JobException.invalid(
        "$skiptoken: '"
            + Quoted.of(token)
            + "' must be the token of a nextLink of this list, with the same $orderby and filter");
  }

  /**
   * Returns a checksum that distinguishes lists. It is not secure, because a forged token gains
   * nothing.
   */
  private static String digest(CollectionName collection, Criteria wanted) {
    CRC32 digest = new CRC32();
    String list =
        String.join(
            "\n",
            collection.key(),
            wanted.state().map(JobState::word).orElse(""),
            wanted.prefix(),
            wanted.part(),
            wanted.outcome(),
            new TreeMap<>(wanted.labels()).toString());
    digest.update(list.getBytes(StandardCharsets.UTF_8));
    return Long.toHexString(digest.getValue());
  }
}
