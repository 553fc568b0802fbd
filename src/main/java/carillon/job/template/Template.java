package carillon.job.template;

import carillon.job.action.ActionCall;
import carillon.job.action.TextMapping.TextForm;
import carillon.job.name.IsoInstant;
import carillon.job.name.Quoted;
import carillon.job.name.WireWord;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Text with placeholders, such as {@code /reports/{{scheduledAt-P1D:yyyy-MM-dd}}}. A placeholder is
 * a {@link Word}. Behind a word for an instant, an ISO 8601 period may follow with its sign, and
 * then a pattern of {@link DateTimeFormatter} behind a colon. Without a pattern, an instant is
 * written in UTC as ISO 8601. Names are English, and weeks are those of ISO 8601. Immutable.
 */
public final class Template {
  private static final String OPEN = "{{";
  private static final String CLOSE = "}}";
  private static final Pattern PLACED = Pattern.compile("\\{\\{.*?}}", Pattern.DOTALL);
  private static final Pattern PLACEHOLDER =
      Pattern.compile("([A-Za-z]+)(?:([+-])(P[0-9A-Z.]*))?(?::(.+))?", Pattern.DOTALL);

  /** Maximum length of a formatted instant. */
  private static final int MAX_FORMATTED = 200;

  /** English names, and the weeks of ISO 8601, which Germany uses. */
  private static final Locale LOCALE = Locale.forLanguageTag("en-u-rg-dezzzz");

  private static final ZonedDateTime SAMPLE =
      Instant.parse("2026-12-30T23:59:58.123456789Z").atZone(ZoneOffset.UTC);

  /** Values for the check of a text before its first call. */
  private static final CallValues SAMPLES =
      new CallValues(
          ZoneOffset.UTC,
          Map.of(Word.SCHEDULED_AT, SAMPLE.toInstant(), Word.LAST_SUCCESS_AT, SAMPLE.toInstant()),
          Map.of(
              Word.EXECUTION_ID, "00000000-0000-4000-8000-000000000000",
              Word.ATTEMPT, "1",
              Word.OCCURRENCE, "1",
              Word.JOB, "job",
              Word.COLLECTION, "collection"));

  private final List<Piece> parts;

  private Template(List<Piece> parts) {
    this.parts = parts;
  }

  /** The value of a placeholder. */
  public enum Word implements WireWord {
    /** The nominal instant of the occurrence. */
    SCHEDULED_AT,
    /** The nominal instant of the last occurrence that completed before; empty without one. */
    LAST_SUCCESS_AT,
    EXECUTION_ID,
    /** The number of the attempt within its action, from 1. */
    ATTEMPT,
    /** The number of the occurrence, from 1; 0 for an execution that a client asked for. */
    OCCURRENCE,
    JOB,
    COLLECTION;

    private static final Set<Word> INSTANTS = Set.of(SCHEDULED_AT, LAST_SUCCESS_AT);

    boolean isInstant() {
      return INSTANTS.contains(this);
    }
  }

  /** Literal text, or a placeholder. */
  private interface Piece {
    String text(CallValues values, TextForm form);
  }

  /**
   * Reads a text.
   *
   * @throws IllegalArgumentException with the broken rule
   */
  public static Template parse(String text) {
    List<Piece> parts = new ArrayList<>();
    int from = 0;
    for (int open = text.indexOf(OPEN); open >= 0; open = text.indexOf(OPEN, from)) {
      int close = text.indexOf(CLOSE, open);
      if (close < 0) {
        throw new IllegalArgumentException("has '{{' without '}}' behind it");
      }
      String literal = text.substring(from, open);
      parts.add((values, form) -> literal);
      parts.add(Placeholder.parse(text.substring(open + OPEN.length(), close)));
      from = close + CLOSE.length();
    }
    String rest = text.substring(from);
    parts.add((values, form) -> rest);
    return new Template(parts);
  }

  /** Whether a text has a placeholder, or the beginning of one. */
  public static boolean isIn(String text) {
    return text.contains(OPEN);
  }

  /** Whether a placeholder of this text has one of these signs. */
  public static boolean isDivided(String text, String signs) {
    return PLACED
        .matcher(text)
        .results()
        .anyMatch(placed -> placed.group().chars().anyMatch(sign -> signs.indexOf(sign) >= 0));
  }

  /** Returns the call with the values in place of its placeholders. */
  public static ActionCall fill(ActionCall call, CallValues values) {
    return call.mapTexts((field, text, form) -> parse(text).fill(values, form));
  }

  /** Returns the text with values in the place of placeholders, escaped as the form demands. */
  public String fill(CallValues values, TextForm form) {
    return parts.stream().map(part -> part.text(values, form)).collect(Collectors.joining());
  }

  /** Returns the text with invented values, for a check of its form. */
  public String sample(TextForm form) {
    return fill(SAMPLES, form);
  }

  /** Number of placeholders. */
  public int count() {
    return (int) placeholders().count();
  }

  /** Whether a placeholder names this. */
  public boolean names(Word word) {
    return placeholders().anyMatch(one -> one.word == word);
  }

  private Stream<Placeholder> placeholders() {
    return parts.stream().filter(Placeholder.class::isInstance).map(Placeholder.class::cast);
  }

  /**
   * A placeholder.
   *
   * @param written its text between the braces
   * @param distance to add to an instant
   * @param pattern of an instant; empty for ISO 8601 in UTC
   */
  private record Placeholder(
      Word word, String written, Optional<Distance> distance, Optional<DateTimeFormatter> pattern)
      implements Piece {

    static Placeholder parse(String written) {
      Word word =
          WireWord.find(Word.class, written.split("[^A-Za-z]", 2)[0])
              .orElseThrow(() -> rule(written, "is no placeholder; they are " + words()));
      Matcher parts = PLACEHOLDER.matcher(written);
      if (!word.isInstant() && written.length() > word.word().length()) {
        throw rule(written, "must be {{" + word.word() + "}}: only instants take more");
      }
      if (!parts.matches()) {
        throw rule(
            written,
            "must be like {{"
                + word.word()
                + "-P1D:yyyy-MM-dd}}, without the distance or the pattern if not needed");
      }
      Optional<Distance> distance =
          Optional.ofNullable(parts.group(3))
              .map(text -> Distance.parse(written, parts.group(2), text));
      Optional<DateTimeFormatter> pattern =
          Optional.ofNullable(parts.group(4)).map(text -> formatter(written, text));
      return new Placeholder(word, written, distance, pattern);
    }

    private static String words() {
      return Stream.of(Word.values()).map(Word::word).collect(Collectors.joining(", "));
    }

    private static DateTimeFormatter formatter(String written, String pattern) {
      try {
        DateTimeFormatter formatter = DateTimeFormatter.ofPattern(pattern, LOCALE);
        if (formatter.format(SAMPLE).length() <= MAX_FORMATTED) {
          return formatter;
        }
      } catch (IllegalArgumentException | DateTimeException e) {
        throw rule(written, "has no pattern of a date or time (" + Quoted.of(e.getMessage()) + ")");
      }
      throw rule(written, "gives more than " + MAX_FORMATTED + " characters");
    }

    @Override
    public String text(CallValues values, TextForm form) {
      Instant instant = values.instants().get(word);
      if (instant != null) {
        return escaped(text(instant, values.zone()), form);
      }
      String text = values.texts().get(word);
      return text == null ? OPEN + written + CLOSE : escaped(text, form);
    }

    private String text(Instant instant, ZoneId zone) {
      ZonedDateTime nominal = instant.atZone(zone);
      ZonedDateTime at = distance.map(one -> one.addedTo(nominal)).orElse(nominal);
      return pattern.map(one -> one.format(at)).orElseGet(() -> IsoInstant.text(at.toInstant()));
    }
  }

  /** Distance in days of the calendar, and then in exact time. */
  private record Distance(Period days, Duration time) {
    private static final int MAX_YEARS = 100;

    static Distance parse(String written, String sign, String text) {
      try {
        int time = text.indexOf('T');
        String before = time < 0 ? text : text.substring(0, time);
        Distance plain =
            new Distance(
                before.equals("P") && time > 0 ? Period.ZERO : Period.parse(before),
                time < 0 ? Duration.ZERO : Duration.parse("P" + text.substring(time)));
        if (plain.isBounded()) {
          return sign.equals("-") ? plain.negated() : plain;
        }
      } catch (DateTimeException | ArithmeticException e) {
        throw rule(written, "must have an ISO 8601 period, such as P1D or PT1H, behind its sign");
      }
      throw rule(written, "must add at most 100 years");
    }

    private boolean isBounded() {
      return !addedTo(SAMPLE).isAfter(SAMPLE.plusYears(MAX_YEARS));
    }

    private Distance negated() {
      return new Distance(days.negated(), time.negated());
    }

    ZonedDateTime addedTo(ZonedDateTime nominal) {
      return nominal.plus(days).plus(time);
    }
  }

  private static IllegalArgumentException rule(String written, String rule) {
    return new IllegalArgumentException("{{" + Quoted.of(written) + "}} " + rule);
  }

  private static String escaped(String value, TextForm form) {
    return switch (form) {
      case PLAIN -> value;
      case URI ->
          URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20").replace("*", "%2A");
      case JSON -> jsonEscaped(value);
    };
  }

  private static String jsonEscaped(String value) {
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < ' ') {
        escaped.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        escaped.append(c == '"' || c == '\\' ? "\\" : "").append(c);
      }
    }
    return escaped.toString();
  }
}
