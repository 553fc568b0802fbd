package carillon.recurrence.calendar;

import carillon.recurrence.DstPolicy;
import carillon.recurrence.DstPolicy.Fold;
import carillon.recurrence.DstPolicy.Gap;
import carillon.recurrence.Recurrence;
import carillon.recurrence.RruleRecurrence;
import carillon.recurrence.WallClock;
import carillon.recurrence.rrule.ContentLine;
import carillon.recurrence.rrule.RecurrenceRule;
import carillon.recurrence.rrule.RecurrenceSet;
import carillon.recurrence.rrule.RruleParser;
import carillon.recurrence.rrule.RuleTime;
import carillon.recurrence.rrule.RuleTime.Form;
import carillon.recurrence.timetable.Timetable;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Lines of an iCalendar series: DTSTART, then rules and dates, with one date in each line.
 *
 * @param start from which the rules are counted
 * @param zone of the local times
 */
record SeriesLines(RuleTime start, ZoneId zone, List<String> lines) {
  private static final DstPolicy DST = new DstPolicy(Gap.BOUNDARY, Fold.AUTO);
  private static final String RULE = "RRULE:";
  private static final String DATE = "RDATE";
  private static final Pattern BOUND = Pattern.compile("(?i)(?:^|;)(?:COUNT|UNTIL)=[^;]*");
  private static final Pattern COUNT = Pattern.compile("(?i)((?:^|;)COUNT=)\\s*(\\d+)\\s*");

  SeriesLines {
    lines = List.copyOf(lines);
  }

  /**
   * Reads the lines.
   *
   * @throws IllegalArgumentException if they are invalid
   */
  RecurrenceSet read() {
    return RruleParser.parse(String.join("\n", lines));
  }

  /**
   * Makes the start the first instance, as COUNT counts it (RFC 5545, 3.8.5.3). A rule that ends
   * before its start, or never matches, has no instance.
   *
   * @throws IllegalArgumentException if a rule is invalid
   */
  SeriesLines beginningAtStart() {
    List<String> rules = lines.stream().filter(line -> line.startsWith(RULE)).toList();
    if (!rules.isEmpty()) {
      boolean isOver = read().rules().stream().anyMatch(this::endsBeforeStart);
      if (isOver || rules.stream().anyMatch(this::needsNoStart)) {
        return this;
      }
    }
    List<String> all = new ArrayList<>();
    lines.forEach(
        line -> (line.startsWith(RULE) ? lessOne(line) : Stream.of(line)).forEach(all::add));
    all.add(lines.get(0).replaceFirst("DTSTART", DATE));
    return new SeriesLines(start, zone, all);
  }

  private boolean endsBeforeStart(RecurrenceRule rule) {
    return rule.until().filter(until -> end(until).isBefore(start.time())).isPresent();
  }

  private LocalDateTime end(RuleTime until) {
    return until.form() == Form.DATE
        ? until.time().plusDays(1).minusSeconds(1)
        : until.local(zone.getRules());
  }

  /** Whether a rule matches the start, or never matches. */
  private boolean needsNoStart(String rule) {
    String bare = BOUND.matcher(rule.substring(RULE.length())).replaceAll("");
    String unbounded = RULE + (bare.startsWith(";") ? bare.substring(1) : bare);
    // Rules of days are local: in UTC no change of the clocks moves the start.
    Optional<ZoneId> own = Optional.of(zone).filter(given -> isElapsed(unbounded));
    ZoneId clock = own.orElse(ZoneOffset.UTC);
    Instant first = Instant.ofEpochSecond(new SpanClock(clock).first(start.time()));
    return timetable(unbounded, clock)
        .after(first.minusSeconds(1))
        .filter(found -> !found.equals(first))
        .isEmpty();
  }

  private boolean isElapsed(String rule) {
    return RruleParser.parse(lines.get(0) + "\n" + rule).isElapsed();
  }

  private Timetable timetable(String rule, ZoneId clock) {
    List<String> both = List.of(lines.get(0), rule);
    Recurrence recurrence =
        new RruleRecurrence(
            both,
            true,
            RruleParser.parse(String.join("\n", both)),
            Recurrence.NO_COUNT,
            Recurrence.NO_END);
    Instant first = Instant.ofEpochSecond(new SpanClock(clock).first(start.time()));
    WallClock wall = new WallClock(clock, DST, Optional.of(start.time()), Optional.empty());
    return Timetable.of(recurrence, first, first, Optional.of(wall));
  }

  /** Returns the rule with a COUNT that is smaller by one, or none for a COUNT of 1. */
  private static Stream<String> lessOne(String rule) {
    Matcher count = COUNT.matcher(rule.substring(RULE.length()));
    if (!count.find()) {
      return Stream.of(rule);
    }
    int rest = Integer.parseInt(count.group(2)) - 1;
    return rest == 0 ? Stream.empty() : Stream.of(RULE + count.replaceFirst("$1" + rest));
  }

  /** Removes the instances from a time on, which is later than the start. */
  SeriesLines endingBefore(RuleTime end) {
    Instant instant = instant(end);
    List<String> all = new ArrayList<>();
    for (String line : lines) {
      if (line.startsWith(RULE)) {
        all.add(
            timetable(line, zone).after(instant.minusSeconds(1)).isEmpty()
                ? line
                : until(line, end));
      } else if (!line.startsWith(DATE) || instant(date(line)).isBefore(instant)) {
        all.add(line);
      }
    }
    return new SeriesLines(start, zone, all);
  }

  private static RuleTime date(String line) {
    return RuleTime.parse(DATE, ContentLine.parse(line).orElseThrow().value());
  }

  private Instant instant(RuleTime time) {
    ZoneId clock = time.form() == Form.UTC ? ZoneOffset.UTC : zone;
    return Instant.ofEpochSecond(new SpanClock(clock).first(time.time()));
  }

  private String until(String rule, RuleTime end) {
    RuleTime last =
        end.form() == Form.DATE
            ? new RuleTime(end.time().minusDays(1), Form.DATE)
            : new RuleTime(
                LocalDateTime.ofInstant(instant(end).minusSeconds(1), ZoneOffset.UTC), Form.UTC);
    String bare = BOUND.matcher(rule.substring(RULE.length())).replaceAll("");
    return RULE + (bare.startsWith(";") ? bare.substring(1) : bare) + ";UNTIL=" + last.text();
  }
}
