package carillon.recurrence.calendar;

import carillon.recurrence.DstPolicy;
import carillon.recurrence.DstPolicy.Fold;
import carillon.recurrence.DstPolicy.Gap;
import carillon.recurrence.Recurrence;
import carillon.recurrence.RruleRecurrence;
import carillon.recurrence.WallClock;
import carillon.recurrence.rrule.ContentLine;
import carillon.recurrence.rrule.RruleParser;
import carillon.recurrence.rrule.RuleTime;
import carillon.recurrence.timetable.Timetable;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Time zone that a file defines in a VTIMEZONE (RFC 5545, 3.6.5). */
final class IcalendarZone {
  private static final ZoneId UTC = ZoneId.of("UTC");
  private static final DstPolicy DST = new DstPolicy(Gap.BOUNDARY, Fold.AUTO);

  /**
   * Earliest change to consider. Programs write definitions that begin in the year 1 or 1601, but
   * earlier changes do not matter.
   */
  private static final Instant FIRST = Instant.EPOCH;

  private static final Instant LAST = Instant.parse("2100-01-01T00:00:00Z");

  /** Years in which a known zone must have the same rules to replace this one. */
  private static final Instant COMPARED_FROM = Instant.parse("2027-01-01T00:00:00Z");

  private static final Instant COMPARED_TO = Instant.parse("2056-01-01T00:00:00Z");

  /**
   * Earliest end of a definition for a comparison. After its end a definition says nothing, so an
   * earlier end leaves too little to compare.
   */
  private static final Instant LEAST_COMPARED = Instant.parse("2030-01-01T00:00:00Z");

  private static final int MAX_CHANGES = 400;
  private static final int MAX_OBSERVANCES = 32;

  private static final Pattern SCHEDULE =
      Pattern.compile("(?i)(?:DTSTART|RRULE|RDATE|TZOFFSETFROM|TZOFFSETTO)(?![\\w-]).*");

  private final List<ContentLine> lines = new ArrayList<>();
  private final List<List<ContentLine>> observances = new ArrayList<>();
  private Optional<String> unreadable = Optional.empty();

  /** Adds a property of the zone. */
  void add(ContentLine line) {
    lines.add(line);
  }

  /** Begins a part STANDARD or DAYLIGHT. */
  void begin() {
    observances.add(new ArrayList<>());
  }

  /** Adds a property of the part that was begun last. */
  void addToPart(ContentLine line) {
    observances.get(observances.size() - 1).add(line);
  }

  /** Records a line of a part without a name, such as a rule without its colon. */
  void spoil(String line) {
    if (SCHEDULE.matcher(line).matches() && unreadable.isEmpty()) {
      unreadable = Optional.of(line);
    }
  }

  /** The value of a property; empty if there is none. */
  Optional<String> value(String property) {
    return value(lines, property);
  }

  private static Optional<String> value(List<ContentLine> lines, String property) {
    return lines.stream()
        .filter(line -> line.name().equals(property))
        .map(line -> line.value().strip())
        .findFirst();
  }

  /**
   * Returns the rules from 1970 to 2100.
   *
   * @throws IllegalArgumentException if the definition is invalid
   */
  ZoneRules rules() {
    if (unreadable.isPresent()) {
      throw new IllegalArgumentException(
          "VTIMEZONE: '" + unreadable.get() + "' must be a line such as RRULE:FREQ=YEARLY");
    }
    if (observances.isEmpty() || observances.size() > MAX_OBSERVANCES) {
      throw new IllegalArgumentException(
          "VTIMEZONE: must have from 1 to " + MAX_OBSERVANCES + " parts STANDARD or DAYLIGHT");
    }
    TreeMap<Long, OffsetChange> changes = new TreeMap<>();
    observances.forEach(part -> addChanges(part, changes));
    ZoneOffset base = changes.firstEntry().getValue().from();
    ZoneOffset before = base;
    List<ZoneOffsetTransition> transitions = new ArrayList<>();
    for (Map.Entry<Long, OffsetChange> change : changes.entrySet()) {
      ZoneOffset after = change.getValue().to();
      if (!after.equals(before)) {
        LocalDateTime local = LocalDateTime.ofEpochSecond(change.getKey(), 0, before);
        transitions.add(ZoneOffsetTransition.of(local, before, after));
        before = after;
      }
    }
    return ZoneRules.of(base, base, List.of(), transitions, List.of());
  }

  /** Offsets before and after a change of the clocks. */
  private record OffsetChange(ZoneOffset from, ZoneOffset to) {}

  private static void addChanges(List<ContentLine> part, Map<Long, OffsetChange> changes) {
    LocalDateTime start = RuleTime.parse("DTSTART", required(part, "DTSTART")).time();
    OffsetChange change =
        new OffsetChange(offset(part, "TZOFFSETFROM"), offset(part, "TZOFFSETTO"));
    List<String> rule = new ArrayList<>(List.of("DTSTART:" + required(part, "DTSTART")));
    part.stream()
        .filter(line -> line.name().equals("RRULE") || line.name().equals("RDATE"))
        .forEach(line -> rule.add(line.name() + ":" + line.value().strip()));
    changes.put(start.toEpochSecond(change.from()), change);
    if (rule.size() > 1) {
      Timetable onsets = onsets(rule, start, change.from());
      onsets.latest(FIRST).ifPresent(at -> changes.put(at.getEpochSecond(), change));
      Optional<Instant> at = onsets.after(FIRST);
      for (int i = 0; i < MAX_CHANGES && at.filter(LAST::isAfter).isPresent(); i++) {
        changes.put(at.get().getEpochSecond(), change);
        at = onsets.after(at.get());
      }
    }
  }

  private static Timetable onsets(List<String> rule, LocalDateTime start, ZoneOffset offset) {
    Recurrence recurrence =
        new RruleRecurrence(
            rule,
            true,
            RruleParser.parse(String.join("\n", rule)),
            Recurrence.NO_COUNT,
            Recurrence.NO_END);
    Instant first = start.toInstant(offset);
    return Timetable.of(
        recurrence,
        first,
        first,
        Optional.of(new WallClock(offset, DST, Optional.of(start), Optional.empty())));
  }

  private static String required(List<ContentLine> part, String property) {
    return value(part, property)
        .orElseThrow(() -> new IllegalArgumentException("VTIMEZONE: " + property + " is missing"));
  }

  private static ZoneOffset offset(List<ContentLine> part, String property) {
    String text = required(part, property);
    try {
      return ZoneOffset.of(text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "VTIMEZONE: " + property + ": '" + text + "' must be like +0100", e);
    }
  }

  /**
   * Finds a known zone with the same rules in the coming years, since rules of events need the name
   * of a zone.
   *
   * @param rules of this zone
   * @param candidates in the order of preference
   */
  static Optional<ZoneId> like(ZoneRules rules, Collection<ZoneId> candidates) {
    List<ZoneOffsetTransition> all = rules.getTransitions();
    if (rules.nextTransition(COMPARED_FROM) == null) {
      return Optional.of(storable(rules.getOffset(COMPARED_FROM)));
    }
    Instant last = all.get(all.size() - 1).getInstant();
    Instant end = last.isBefore(COMPARED_TO) ? last : COMPARED_TO;
    return end.isBefore(LEAST_COMPARED)
        ? Optional.empty()
        : candidates.stream().filter(zone -> isSame(rules, zone.getRules(), end)).findFirst();
  }

  /**
   * Returns a zone whose id can be stored as a name. The id of UTC as an offset is not a name, and
   * names of offsets have no seconds.
   */
  static ZoneId storable(ZoneId zone) {
    if (!(zone instanceof ZoneOffset offset)) {
      return zone;
    }
    int minutes = Math.round(offset.getTotalSeconds() / 60f);
    return minutes == 0 ? UTC : ZoneOffset.ofTotalSeconds(60 * minutes);
  }

  private static boolean isSame(ZoneRules one, ZoneRules other, Instant end) {
    Instant at = COMPARED_FROM;
    while (at.isBefore(end)) {
      ZoneOffsetTransition next = one.nextTransition(at);
      ZoneOffsetTransition others = other.nextTransition(at);
      if (!one.getOffset(at).equals(other.getOffset(at))
          || next == null
          || others == null
          || !next.getInstant().equals(others.getInstant())) {
        return false;
      }
      at = next.getInstant();
    }
    return true;
  }
}
