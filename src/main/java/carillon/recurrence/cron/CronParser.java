package carillon.recurrence.cron;

import static carillon.recurrence.cron.CronField.DAY_OF_MONTH;
import static carillon.recurrence.cron.CronField.DAY_OF_WEEK;
import static carillon.recurrence.cron.CronField.HOUR;
import static carillon.recurrence.cron.CronField.MINUTE;
import static carillon.recurrence.cron.CronField.MONTH;
import static carillon.recurrence.cron.CronField.SECOND;
import static carillon.recurrence.cron.CronField.YEAR;

import carillon.recurrence.cron.CronExpression.BothDays;
import carillon.recurrence.cron.CronExpression.FieldValues;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Parser of cron expressions: five fields as in crontabs, six with seconds first, seven as in
 * Quartz, the forms of EventBridge, and {@code @daily} and its like.
 */
public final class CronParser {
  /** Maximum length of an expression. */
  private static final int MAX_LENGTH = 512;

  private static final Pattern ZONE =
      Pattern.compile("(?:CRON_)?TZ=(\\S+)\\s+(.*)", Pattern.CASE_INSENSITIVE);
  private static final Pattern CALL =
      Pattern.compile("(cron|rate|at)\\s*\\((.*)\\)", Pattern.CASE_INSENSITIVE);
  private static final Pattern PLAIN = Pattern.compile("[\\w \\t*?,\\-/#()@=:+.]*");
  private static final Pattern NUMBER = Pattern.compile("\\d");

  private static final Map<String, String> NICKNAMES =
      Map.of(
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *",
          "@monthly", "0 0 1 * *",
          "@weekly", "0 0 * * 0",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@hourly", "0 * * * *");

  private static final List<CronField> FIVE =
      List.of(MINUTE, HOUR, DAY_OF_MONTH, MONTH, DAY_OF_WEEK);
  private static final List<CronField> SECONDS_FIRST =
      List.of(SECOND, MINUTE, HOUR, DAY_OF_MONTH, MONTH, DAY_OF_WEEK);
  private static final List<CronField> YEARS_LAST =
      List.of(MINUTE, HOUR, DAY_OF_MONTH, MONTH, DAY_OF_WEEK, YEAR);
  private static final List<CronField> SEVEN =
      List.of(SECOND, MINUTE, HOUR, DAY_OF_MONTH, MONTH, DAY_OF_WEEK, YEAR);

  private CronParser() {}

  /**
   * Reads an expression. Ignores a time zone in front of it, see {@link #zoneOf}.
   *
   * @param given the dialect, if it was given
   * @param job the full name of the job, for {@code H}
   * @throws IllegalArgumentException if it is invalid or ambiguous
   */
  public static CronRule parse(String text, Optional<CronDialect> given, String job) {
    if (text.length() > MAX_LENGTH) {
      throw new IllegalArgumentException("must have at most " + MAX_LENGTH + " characters");
    }
    String trimmed = text.strip();
    if (!PLAIN.matcher(trimmed).matches()) {
      throw new IllegalArgumentException(
          "must be of letters, digits, spaces and * ? , - / # ( ) @ = : + _ . alone");
    }
    if (trimmed.isEmpty()) {
      throw new IllegalArgumentException("is empty");
    }
    return rule(withoutZone(trimmed), given, job);
  }

  private static String withoutZone(String text) {
    Matcher zoned = ZONE.matcher(text);
    return zoned.matches() ? zoned.group(2) : text;
  }

  /** The dialect in which an expression is read. */
  public static CronDialect dialectOf(String text, Optional<CronDialect> given) {
    String bare = withoutZone(text.strip());
    if (CALL.matcher(bare).matches()) {
      return CronDialect.AWS;
    }
    return bare.startsWith("@") ? CronDialect.UNIX : given.orElseGet(() -> usual(bare));
  }

  private static CronDialect usual(String fields) {
    return fields.split("\\s+").length == SEVEN.size() ? CronDialect.QUARTZ : CronDialect.UNIX;
  }

  /**
   * The fields of an expression; empty for an expression without fields, such as {@code @daily}.
   */
  static Optional<String> fieldsOf(String text) {
    String bare = withoutZone(text.strip());
    Matcher call = CALL.matcher(bare);
    if (call.matches()) {
      return call.group(1).equalsIgnoreCase("cron")
          ? Optional.of(call.group(2).strip())
          : Optional.empty();
    }
    return bare.startsWith("@") ? Optional.empty() : Optional.of(bare);
  }

  /** The time zone given by {@code CRON_TZ=} or {@code TZ=} in front of an expression, if any. */
  public static Optional<String> zoneOf(String text) {
    Matcher zoned = ZONE.matcher(text.strip());
    return zoned.matches() ? Optional.of(zoned.group(1)) : Optional.empty();
  }

  private static CronRule rule(String text, Optional<CronDialect> given, String job) {
    Matcher call = CALL.matcher(text);
    if (call.matches()) {
      String inner = call.group(2).strip();
      return switch (call.group(1).toLowerCase(Locale.ROOT)) {
        case "rate" -> Intervals.rate(inner);
        case "at" -> Intervals.at(inner);
        default -> matching(inner, Optional.of(aws(given)), job);
      };
    }
    if (text.startsWith("@every")) {
      return Intervals.every(text.substring("@every".length()).strip());
    }
    return text.startsWith("@")
        ? matching(nickname(text), Optional.empty(), job)
        : matching(text, given, job);
  }

  private static CronDialect aws(Optional<CronDialect> given) {
    if (given.isPresent() && given.get() != CronDialect.AWS) {
      throw new IllegalArgumentException("cron(...) is aws, not " + given.get().word());
    }
    return CronDialect.AWS;
  }

  private static String nickname(String text) {
    String fields = NICKNAMES.get(text.toLowerCase(Locale.ROOT));
    if (fields == null) {
      throw new IllegalArgumentException(
          text
              + " is not known: @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly"
              + " or @every with a duration");
    }
    return fields;
  }

  private static CronRule matching(String text, Optional<CronDialect> given, String job) {
    String[] parts = text.toUpperCase(Locale.ROOT).split("\\s+");
    CronDialect dialect = given.orElseGet(() -> usual(text));
    List<CronField> fields = fields(parts.length, dialect);
    HashedValue hashed = new HashedValue(job);
    Map<CronField, FieldValues> values = new EnumMap<>(CronField.class);
    for (int i = 0; i < parts.length; i++) {
      if (given.isEmpty() && parts.length == SECONDS_FIRST.size()) {
        refuseAmbiguous(parts, fields.get(i), parts[i]);
      }
      values.put(fields.get(i), FieldReader.read(fields.get(i), dialect, hashed, parts[i]));
    }
    BothDays both = bothDays(parts, fields, dialect, values);
    return new CronRule.Matching(expression(values, both));
  }

  static List<CronField> fields(int number, CronDialect dialect) {
    return switch (dialect) {
      case UNIX ->
          switch (number) {
            case 5 -> FIVE;
            case 6 -> SECONDS_FIRST;
            default -> throw wrongNumber(number, "unix has 5, or 6 with seconds first");
          };
      case QUARTZ ->
          switch (number) {
            case 6 -> SECONDS_FIRST;
            case 7 -> SEVEN;
            default ->
                throw wrongNumber(number, "quartz has 6 with seconds first, or 7 with years");
          };
      case AWS -> {
        if (number != YEARS_LAST.size()) {
          throw wrongNumber(number, "aws has 6 with years last");
        }
        yield YEARS_LAST;
      }
    };
  }

  private static IllegalArgumentException wrongNumber(int number, String rule) {
    return new IllegalArgumentException(
        number + (number == 1 ? " field" : " fields") + ", but " + rule);
  }

  /**
   * Refuses a number of a weekday next to a question mark. The question mark comes from Quartz,
   * where 2 is Monday.
   */
  private static void refuseAmbiguous(String[] parts, CronField field, String text) {
    boolean isAsked = List.of(parts).contains("?");
    Matcher number = NUMBER.matcher(text.replaceAll("#.*|/.*", ""));
    if (field != DAY_OF_WEEK || !isAsked || !number.find()) {
      return;
    }
    int day = Integer.parseInt(number.group());
    String inUnix = DAY_OF_WEEK.name(day % 7);
    String inQuartz = DAY_OF_WEEK.name((day + 6) % 7);
    throw new IllegalArgumentException(
        "day of week: %d is %s in unix and %s in quartz: set cronDialect, or write the name"
            .formatted(day, inUnix, inQuartz));
  }

  /**
   * Determines whether both fields of days must match. They must if one of them begins with a star;
   * otherwise one match is enough (Vixie's cron, entry.c: DOM_STAR). Quartz and EventBridge require
   * exactly one field to be left open.
   */
  private static BothDays bothDays(
      String[] parts,
      List<CronField> fields,
      CronDialect dialect,
      Map<CronField, FieldValues> values) {
    if (dialect != CronDialect.UNIX) {
      boolean opensMonth = parts[fields.indexOf(DAY_OF_MONTH)].equals("?");
      boolean opensWeek = parts[fields.indexOf(DAY_OF_WEEK)].equals("?");
      if (opensMonth == opensWeek) {
        throw new IllegalArgumentException(
            "exactly one of day of month and day of week must be ? in " + dialect.word());
      }
    }
    boolean isStarred = values.get(DAY_OF_MONTH).isStarred() || values.get(DAY_OF_WEEK).isStarred();
    return isStarred ? BothDays.BOTH : BothDays.EITHER;
  }

  private static CronExpression expression(Map<CronField, FieldValues> values, BothDays both) {
    List<Integer> hours = numbers(values, HOUR);
    List<Integer> years = values.containsKey(YEAR) ? numbers(values, YEAR) : List.of();
    return new CronExpression(
        values.containsKey(SECOND) ? numbers(values, SECOND) : List.of(0),
        numbers(values, MINUTE),
        hours,
        CronExpression.dayMasks(values.get(DAY_OF_MONTH), values.get(DAY_OF_WEEK), both),
        numbers(values, MONTH),
        years.size() == YEAR.size() ? List.of() : years,
        values.get(MINUTE).isStarred()
            || values.get(HOUR).isStarred()
            || hours.size() == HOUR.size());
  }

  private static List<Integer> numbers(Map<CronField, FieldValues> values, CronField field) {
    return IntStream.of(values.get(field).sorted()).boxed().toList();
  }
}
