package carillon.json;

import carillon.job.JobException;
import carillon.recurrence.CronRecurrence;
import carillon.recurrence.Recurrence;
import carillon.recurrence.RruleRecurrence;
import carillon.recurrence.calendar.CalendarCoverage;
import carillon.recurrence.calendar.CalendarDefinition;
import carillon.recurrence.calendar.CalendarSpan;
import carillon.recurrence.calendar.CalendarSpan.Bound;
import carillon.recurrence.calendar.CalendarSpan.Day;
import carillon.recurrence.calendar.CalendarSpan.Period;
import carillon.recurrence.calendar.CalendarSpan.Repeated;
import carillon.recurrence.calendar.CalendarSpan.SpanLength;
import carillon.recurrence.calendar.CalendarSpan.WeekDays;
import carillon.recurrence.calendar.IcalendarImport;
import carillon.recurrence.calendar.IcalendarImport.Imported;
import carillon.recurrence.rrule.RecurrenceSet;
import carillon.recurrence.rrule.RuleTime;
import carillon.recurrence.rrule.RuleTime.Form;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Codec of calendars: as clients submit them, and as they are stored and answered. */
public final class CalendarCodec {
  private static final String MALFORMED = "Malformed calendar";
  private static final String TIME_ZONE = "timeZone";
  private static final String SPANS = "spans";
  private static final String LASTS = "lasts";

  /** What is answered beside the definition may come back with it, and changes nothing. */
  private static final Set<String> KNOWN = Set.of("name", TIME_ZONE, SPANS, "leftOut");

  /** By the property that a form begins with, all that belong to it. */
  private static final Map<String, Set<String>> FORMS =
      Map.of(
          "date",
          Set.of("date", "name"),
          "weekDays",
          Set.of("weekDays", "name"),
          "from",
          Set.of("from", "to", "name"),
          CronCodec.EXPRESSION,
          Set.of(CronCodec.EXPRESSION, CronCodec.DIALECT, LASTS, "name"),
          RruleCodec.RULES,
          Set.of(RruleCodec.RULES, LASTS, "name"));

  private static final EnumNames<DayOfWeek> DAYS = EnumNames.of(DayOfWeek.class);
  private static final Pattern TYPED =
      Pattern.compile("(?=\\d)((?:\\d+w)?(?:\\d+d)?)(?:\\d+h)?(?:\\d+m)?(?:\\d+s)?");
  private static final int MAX_SPANS = 5_000;
  private static final int MAX_REPEATED = 100;
  private static final int MAX_NAME = 128;
  private static final int FIRST_YEAR = 1970;
  private static final int LAST_YEAR = 9999;

  private CalendarCodec() {}

  /**
   * Reads a definition as a client submits it for the calendar of this name. Fails with INVALID.
   */
  public static CalendarDefinition read(byte[] json, String name) {
    Map<String, Object> document = StrictJsonParser.parse(json, MALFORMED);
    try {
      return read(JsonFields.root(document), name);
    } catch (JobException e) {
      throw Refusals.all(e, all -> read(JsonFields.root(document, all), name));
    }
  }

  private static CalendarDefinition read(JsonFields fields, String name) {
    fields.checkName(name);
    return checked(definition(fields));
  }

  /** Reads the stored form, as {@link #write} wrote it. */
  public static CalendarDefinition readStored(String json) {
    return definition(JsonFields.root(StrictJsonParser.parseStored(json)));
  }

  /**
   * Reads iCalendar. Fails with INVALID.
   *
   * @param timeZone of days, and of times without one; absent for the one that the text has
   */
  public static Imported readIcalendar(byte[] text, Optional<String> timeZone) {
    timeZone
        .filter(name -> TimeZoneNames.find(name).isEmpty())
        .ifPresent(
            name -> {
              throw JsonFields.refuse(TIME_ZONE, name, TimeZoneNames.rule(name));
            });
    try {
      String whole = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).toString();
      Imported imported = IcalendarImport.read(whole, TimeZoneNames::find, timeZone);
      if (imported.definition().spans().isEmpty()) {
        throw JobException.invalid("The calendar covers no time: " + reason(imported.leftOut()));
      }
      checked(imported.definition());
      return imported;
    } catch (CharacterCodingException e) {
      throw JobException.invalid(MALFORMED + ": it is not UTF-8");
    } catch (IllegalArgumentException e) {
      throw JobException.invalid(MALFORMED + ": " + e.getMessage());
    }
  }

  private static String reason(int leftOut) {
    return leftOut == 0
        ? "it has no events."
        : "all of its "
            + leftOut
            + " components are left out, as they are cancelled, transparent, without length, or no"
            + " events.";
  }

  private static CalendarDefinition checked(CalendarDefinition definition) {
    if (definition.spans().size() > MAX_SPANS) {
      throw JobException.invalid(
          "spans: " + definition.spans().size() + " are more than the " + MAX_SPANS + " allowed");
    }
    long repeated =
        definition.spans().stream()
            .filter(span -> span instanceof Repeated || span instanceof WeekDays)
            .count();
    if (repeated > MAX_REPEATED) {
      throw JobException.invalid(
          "spans: "
              + repeated
              + " that repeat are more than the "
              + MAX_REPEATED
              + " allowed; give their dates instead");
    }
    try {
      new CalendarCoverage("", definition);
      CalendarCoverage.checkDays(definition);
      return definition;
    } catch (IllegalArgumentException e) {
      throw JobException.invalid(e.getMessage());
    }
  }

  private static CalendarDefinition definition(JsonFields fields) {
    fields.allowOnly(KNOWN, Dialect.NATIVE);
    Optional<String> name = fields.text(TIME_ZONE);
    ZoneId zone = zone(fields, name);
    if (!fields.has(SPANS)) {
      fields.report(fields.missing(SPANS));
    }
    if (fields.isEmptyArray(SPANS)) {
      fields.report(
          JobException.invalid(
              SPANS
                  + ": must not be empty; give at least one span, such as"
                  + " {\"date\": \"2026-12-25\"}"));
    }
    List<CalendarSpan> spans = fields.objects(SPANS, CalendarCodec::span);
    fields.throwCollected();
    return new CalendarDefinition(name, zone, spans);
  }

  private static ZoneId zone(JsonFields fields, Optional<String> name) {
    try {
      return name.map(given -> zone(fields, TIME_ZONE, given)).orElse(ZoneOffset.UTC);
    } catch (JobException e) {
      fields.report(e);
      return ZoneOffset.UTC;
    }
  }

  private static ZoneId zone(JsonFields fields, String field, String name) {
    return TimeZoneNames.find(name)
        .orElseThrow(() -> JsonFields.refuse(fields.place(field), name, TimeZoneNames.rule(name)));
  }

  private static CalendarSpan span(JsonFields fields) {
    List<String> forms = FORMS.keySet().stream().filter(fields::has).sorted().toList();
    if (forms.size() != 1) {
      throw JobException.invalid(
          fields.place()
              + ": must have one of date, weekDays, from, cron, rrule"
              + (forms.isEmpty() ? "" : ", not " + String.join(" and ", forms)));
    }
    fields.allowOnly(FORMS.get(forms.get(0)), Dialect.NATIVE);
    Optional<String> name = fields.text("name");
    name.ifPresent(text -> fields.checkLength("name", text, MAX_NAME));
    return switch (forms.get(0)) {
      case "date" -> new Day(date(fields), name);
      case "weekDays" -> new WeekDays(weekDays(fields), name);
      case "from" -> new Period(bound(fields, "from"), bound(fields, "to"), name);
      case CronCodec.EXPRESSION -> cron(fields, name);
      default -> rrule(fields, name);
    };
  }

  private static EnumSet<DayOfWeek> weekDays(JsonFields fields) {
    List<DayOfWeek> days = fields.words("weekDays", DAYS);
    if (days.isEmpty()) {
      throw fields.missing("weekDays");
    }
    return EnumSet.copyOf(days);
  }

  private static LocalDate date(JsonFields fields) {
    try {
      LocalDate date = LocalDate.parse(fields.requiredText("date"));
      if (date.getYear() >= FIRST_YEAR && date.getYear() <= LAST_YEAR) {
        return date;
      }
    } catch (DateTimeException e) {
      // refused below, as one of another year is
    }
    throw fields.refusal("date", "must be a date such as 2026-12-25, in the years 1970 to 9999");
  }

  private static Bound bound(JsonFields fields, String name) {
    Instant instant = fields.instant(name).orElseThrow(() -> fields.missing(name));
    return fields
        .local(name)
        .map(local -> new Bound(local, Optional.empty()))
        .orElseGet(
            () ->
                isDate(fields, name)
                    ? new Bound(utc(instant), Optional.empty())
                    : new Bound(utc(instant), Optional.of(ZoneOffset.UTC)));
  }

  /** Whether a time is given as a mere date. */
  private static boolean isDate(JsonFields fields, String name) {
    return fields.requiredText(name).length() == LocalDate.EPOCH.toString().length();
  }

  private static LocalDateTime utc(Instant instant) {
    return LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
  }

  private static Repeated cron(JsonFields fields, Optional<String> name) {
    Optional<ZoneId> zone =
        CronCodec.timeZone(fields).map(given -> zone(fields, CronCodec.EXPRESSION, given));
    CronRecurrence recurrence =
        CronCodec.read(fields, SPANS, Recurrence.NO_COUNT, Recurrence.NO_END);
    return new Repeated(recurrence, Optional.empty(), zone, lasts(fields), name);
  }

  private static Repeated rrule(JsonFields fields, Optional<String> name) {
    RecurrenceSet set = RruleCodec.parse(fields).orElseThrow();
    Optional<RuleTime> start = set.start();
    Optional<ZoneId> zone =
        start.filter(time -> time.form() == Form.UTC).isPresent()
            ? Optional.of(ZoneOffset.UTC)
            : set.zone().map(given -> zone(fields, RruleCodec.RULES, given));
    RruleRecurrence recurrence =
        RruleCodec.read(fields, set, Recurrence.NO_COUNT, Recurrence.NO_END);
    if (start.isEmpty() && set.rules().stream().anyMatch(rule -> rule.count().isPresent())) {
      throw fields.refusal(RruleCodec.RULES, "has a COUNT, and no DTSTART to count from");
    }
    return new Repeated(recurrence, start.map(RuleTime::time), zone, lasts(fields), name);
  }

  private static SpanLength lasts(JsonFields fields) {
    String text = fields.requiredText(LASTS);
    try {
      return SpanLength.parse(iso(text));
    } catch (IllegalArgumentException e) {
      throw fields.refusal(
          LASTS, "must be a length from 1s to 366d, such as 4h, 1d, PT4H, P1D or P1W");
    }
  }

  /** What people type, such as {@code 1d12h}, and {@code 08:00:00}, as SpanLength reads it. */
  private static String iso(String text) {
    Matcher typed = TYPED.matcher(text);
    if (!typed.matches()) {
      return text.indexOf(':') < 0
          ? text
          : DurationFormats.parse(text).map(Duration::toString).orElse(text);
    }
    String time = text.substring(typed.end(1)).toUpperCase(Locale.ROOT);
    return "P" + typed.group(1).toUpperCase(Locale.ROOT) + (time.isEmpty() ? "" : "T" + time);
  }

  /** The definition, as it was given. */
  public static String write(CalendarDefinition definition) {
    return JsonOut.text(
        json -> {
          json.writeStartObject();
          writeDefinition(json, definition);
          json.writeEndObject();
        });
  }

  /** A calendar as it is answered. */
  public static byte[] answer(String name, CalendarDefinition definition) {
    return JsonOut.object(json -> writeFields(json, name, definition));
  }

  /** A calendar that was imported, with the number of components that were left out. */
  public static byte[] answer(String name, Imported imported) {
    return JsonOut.object(
        json -> {
          writeFields(json, name, imported.definition());
          json.writeNumberField("leftOut", imported.leftOut());
        });
  }

  /** An entry of a list of calendars: without the spans, which may be thousands. */
  public static void writeEntry(JsonGenerator json, String name, CalendarDefinition definition)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("name", name);
    if (definition.timeZone().isPresent()) {
      json.writeStringField(TIME_ZONE, definition.timeZone().get());
    }
    json.writeNumberField("spanCount", definition.spans().size());
    json.writeEndObject();
  }

  private static void writeFields(JsonGenerator json, String name, CalendarDefinition definition)
      throws IOException {
    json.writeStringField("name", name);
    writeDefinition(json, definition);
  }

  private static void writeDefinition(JsonGenerator json, CalendarDefinition definition)
      throws IOException {
    if (definition.timeZone().isPresent()) {
      json.writeStringField(TIME_ZONE, definition.timeZone().get());
    }
    json.writeArrayFieldStart(SPANS);
    for (CalendarSpan span : definition.spans()) {
      json.writeStartObject();
      write(json, span);
      if (span.name().isPresent()) {
        json.writeStringField("name", span.name().get());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, CalendarSpan span) throws IOException {
    if (span instanceof Day day) {
      json.writeStringField("date", day.date().toString());
    } else if (span instanceof WeekDays week) {
      JsonOut.writeTexts(
          json,
          "weekDays",
          week.days().stream().sorted().map(day -> day.name().toLowerCase(Locale.ROOT)).toList());
    } else if (span instanceof Period period) {
      json.writeStringField("from", text(period.from()));
      json.writeStringField("to", text(period.to()));
    } else {
      write(json, (Repeated) span);
    }
  }

  private static void write(JsonGenerator json, Repeated span) throws IOException {
    if (span.recurrence() instanceof CronRecurrence cron) {
      CronCodec.write(json, cron);
    } else {
      RruleCodec.write(json, (RruleRecurrence) span.recurrence());
    }
    json.writeStringField(LASTS, span.lasts().text());
  }

  private static String text(Bound bound) {
    LocalDateTime time = bound.time();
    if (bound.offset().isPresent()) {
      return Timestamps.format(time.toInstant(bound.offset().get()));
    }
    return time.toLocalTime().equals(LocalTime.MIDNIGHT)
        ? time.toLocalDate().toString()
        : Timestamps.format(time);
  }
}
