package carillon.json.schedule;

import carillon.job.name.JobException;
import carillon.json.text.Dialect;
import carillon.json.text.DurationFormats;
import carillon.json.text.EnumNames;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.json.text.Refusals;
import carillon.json.text.StrictJsonParser;
import carillon.json.text.Timestamps;
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
import carillon.recurrence.calendar.IcalendarImport.ImportOptions;
import carillon.recurrence.calendar.IcalendarImport.Imported;
import carillon.recurrence.calendar.IcalendarImport.LeftOutEvent;
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
import java.util.stream.Collectors;

/** Codec of calendars, for submissions, the stored form and answers. */
public final class CalendarCodec {
  private static final String MALFORMED = "Malformed calendar";
  private static final String TIME_ZONE = "timeZone";
  private static final String SPANS = "spans";
  private static final String LASTS = "lasts";

  /**
   * Properties of a calendar. Requests may repeat those that answers add to the definition, without
   * effect.
   */
  private static final Set<String> KNOWN =
      Set.of("name", TIME_ZONE, SPANS, "leftOut", "leftOutEvents");

  /** Properties of each form of a span, by the property that begins the form. */
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

  /** Maximum number of components to name in an answer. All are counted. */
  private static final int MAX_LEFT_OUT = 100;

  private static final int MAX_IN_MESSAGE = 5;
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
    return checked(definition(fields, false));
  }

  /** Reads the stored form, written by {@link #write}. */
  public static CalendarDefinition readStored(String json) {
    return definition(JsonFields.root(StrictJsonParser.parseStored(json)), true);
  }

  /**
   * Reads iCalendar. Fails with INVALID.
   *
   * @param timeZone of days, and of times without one; absent for the zone in the text
   * @param includesTransparent whether to include timed events marked as free time
   */
  public static Imported readIcalendar(
      byte[] text, Optional<String> timeZone, boolean includesTransparent) {
    timeZone
        .filter(name -> TimeZoneNames.find(name).isEmpty())
        .ifPresent(
            name -> {
              throw JsonFields.refuse(TIME_ZONE, name, TimeZoneNames.rule(name));
            });
    ImportOptions options =
        new ImportOptions(
            TimeZoneNames::findInFile,
            TimeZoneNames.ofWindows(),
            timeZone,
            includesTransparent,
            CalendarCodec::checkStorable);
    try {
      Imported imported = IcalendarImport.read(unfolded(text), options);
      List<LeftOutEvent> leftOut = imported.leftOut();
      if (imported.definition().spans().isEmpty()
          && (leftOut.isEmpty() || leftOut.stream().anyMatch(LeftOutEvent::isUnusable))) {
        throw JobException.invalid("The calendar covers no time: " + reasons(leftOut));
      }
      checkSize(imported.definition());
      return imported;
    } catch (CharacterCodingException e) {
      throw JobException.invalid(MALFORMED + ": it is not UTF-8");
    } catch (IllegalArgumentException e) {
      throw JobException.invalid(MALFORMED + ": " + e.getMessage());
    }
  }

  /**
   * Returns the text with its lines unfolded. Some programs fold within a character of several
   * bytes.
   */
  private static String unfolded(byte[] text) throws CharacterCodingException {
    String bytes = new String(text, StandardCharsets.ISO_8859_1).replaceAll("\r?\n[ \t]", "");
    return StandardCharsets.UTF_8
        .newDecoder()
        .decode(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1)))
        .toString();
  }

  private static String reasons(List<LeftOutEvent> leftOut) {
    if (leftOut.isEmpty()) {
      return "it has no events.";
    }
    String first =
        leftOut.stream()
            .limit(MAX_IN_MESSAGE)
            .map(one -> one.event() + ": " + one.reason())
            .collect(Collectors.joining("; "));
    int more = leftOut.size() - MAX_IN_MESSAGE;
    return first + (more > 0 ? "; and " + more + " more." : ".");
  }

  /**
   * Refuses a calendar that could not be read back from the store. Even if all rules for
   * submissions allow it, jobs must not stop because of it.
   */
  public static void checkStorable(CalendarDefinition definition) {
    CalendarDefinition stored = readStored(write(definition));
    try {
      new CalendarCoverage("", stored);
      CalendarCoverage.checkDays(stored);
    } catch (IllegalArgumentException e) {
      throw JobException.invalid(e.getMessage());
    }
  }

  private static CalendarDefinition checked(CalendarDefinition definition) {
    checkSize(definition);
    checkStorable(definition);
    return definition;
  }

  private static void checkSize(CalendarDefinition definition) {
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
  }

  /**
   * Reads a definition.
   *
   * @param mayBeEmpty whether it may have no spans, as for a file whose events are all marked as
   *     free time
   */
  private static CalendarDefinition definition(JsonFields fields, boolean mayBeEmpty) {
    fields.allowOnly(KNOWN, Dialect.NATIVE);
    Optional<String> name = fields.text(TIME_ZONE);
    ZoneId zone = zone(fields, name);
    if (!fields.has(SPANS)) {
      fields.report(fields.missing(SPANS));
    }
    if (!mayBeEmpty && fields.isEmptyArray(SPANS)) {
      fields.report(
          JobException.invalid(
              SPANS
                  + ": must not be empty; give at least one span, such as"
                  + " {\"date\": \"2026-12-25\"}"));
    }
    List<CalendarSpan> spans =
        fields.isEmptyArray(SPANS) ? List.of() : fields.objects(SPANS, CalendarCodec::span);
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
    name.ifPresent(text -> fields.checkCharacters("name", text, MAX_NAME));
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
      // refused below, like a date of another year
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

  /** Whether a time is given as a date only. */
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

  /**
   * Converts short forms such as {@code 1d12h}, and {@code 08:00:00}, to the form for SpanLength.
   */
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

  /** Writes the definition as it was given. */
  public static String write(CalendarDefinition definition) {
    return JsonOut.text(
        json -> {
          json.writeStartObject();
          writeDefinition(json, definition);
          json.writeEndObject();
        });
  }

  /** Writes the answer for a calendar. */
  public static byte[] answer(String name, CalendarDefinition definition) {
    return JsonOut.object(json -> writeFields(json, name, definition));
  }

  /** Writes the answer for an imported calendar, with the components that were left out. */
  public static byte[] answer(String name, Imported imported) {
    return JsonOut.object(
        json -> {
          writeFields(json, name, imported.definition());
          json.writeNumberField("leftOut", imported.leftOut().size());
          json.writeArrayFieldStart("leftOutEvents");
          for (LeftOutEvent one : imported.leftOut().stream().limit(MAX_LEFT_OUT).toList()) {
            json.writeStartObject();
            json.writeStringField("event", one.event());
            json.writeStringField("reason", one.reason());
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  /** Writes an entry of a list of calendars, without the spans, which may be thousands. */
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
