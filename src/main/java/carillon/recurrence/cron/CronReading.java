package carillon.recurrence.cron;

import static carillon.recurrence.cron.CronField.DAY_OF_MONTH;
import static carillon.recurrence.cron.CronField.DAY_OF_WEEK;

import carillon.recurrence.cron.CronExpression.BothDays;
import carillon.recurrence.cron.CronWriter.Star;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Reading of an expression: its interpretation, for people who want to check it.
 *
 * @param dialect given, or detected
 * @param bothDays how the two fields of days were combined, if both leave out days
 * @param resolved the expression with numbers in place of each {@code H}, if it has one
 */
public record CronReading(
    CronDialect dialect, Optional<BothDays> bothDays, Optional<String> resolved) {

  /**
   * The reading of an expression that {@link CronParser} reads.
   *
   * @param given the dialect, if it was given
   * @param job the full name of the job, for {@code H}
   */
  public static CronReading of(String text, Optional<CronDialect> given, String job) {
    CronDialect dialect = CronParser.dialectOf(text, given);
    Optional<String> fields = CronParser.fieldsOf(text);
    if (fields.isEmpty()) {
      return new CronReading(dialect, Optional.empty(), Optional.empty());
    }
    List<String> parts = List.of(fields.get().toUpperCase(Locale.ROOT).split("\\s+"));
    List<CronField> names = CronParser.fields(parts.size(), dialect);
    return new CronReading(
        dialect,
        bothDays(parts.get(names.indexOf(DAY_OF_MONTH)), parts.get(names.indexOf(DAY_OF_WEEK))),
        resolved(parts, names, dialect, new HashedValue(job)));
  }

  private static Optional<BothDays> bothDays(String ofMonth, String ofWeek) {
    if (Stream.of(ofMonth, ofWeek).anyMatch(field -> field.equals("*") || field.equals("?"))) {
      return Optional.empty();
    }
    boolean isStarred = ofMonth.startsWith("*") || ofWeek.startsWith("*");
    return Optional.of(isStarred ? BothDays.BOTH : BothDays.EITHER);
  }

  private static Optional<String> resolved(
      List<String> parts, List<CronField> names, CronDialect dialect, HashedValue hashed) {
    List<String> resolved = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      CronField field = names.get(i);
      resolved.add(
          Stream.of(parts.get(i).split(","))
              .map(item -> item.startsWith("H") ? numbers(field, dialect, hashed, item) : item)
              .collect(Collectors.joining(",")));
    }
    String text = String.join(" ", resolved);
    return resolved.equals(parts)
        ? Optional.empty()
        : Optional.of(dialect == CronDialect.AWS ? "cron(" + text + ")" : text);
  }

  private static String numbers(
      CronField field, CronDialect dialect, HashedValue hashed, String item) {
    IntStream numbers = IntStream.of(FieldReader.read(field, dialect, hashed, item).sorted());
    return field == DAY_OF_WEEK
        ? numbers.mapToObj(field::name).collect(Collectors.joining(","))
        : CronWriter.numbers(numbers.boxed().toList(), field, Star.EXCLUDED);
  }
}
