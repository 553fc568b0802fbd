package carillon.json.view;

import carillon.job.JobDefinition;
import carillon.job.name.JobException;
import carillon.json.schedule.RecurrenceCodec;
import carillon.json.schedule.TimeZoneNames;
import carillon.json.text.Dialect;
import carillon.json.text.EnumNames;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.json.text.Refusals;
import carillon.json.text.StrictJsonParser;
import carillon.json.text.SubmissionLimits;
import carillon.json.text.Timestamps;
import carillon.json.view.Preview.Question;
import carillon.recurrence.Coverage.Cause;
import carillon.recurrence.CronRecurrence;
import carillon.recurrence.JobTimeZone;
import carillon.recurrence.MovedTime;
import carillon.recurrence.Recurrence;
import carillon.recurrence.WallClock;
import carillon.recurrence.calendar.CalendarDirectory;
import carillon.recurrence.conversion.RecurrenceConverter;
import carillon.recurrence.conversion.RecurrenceConverter.Converted;
import carillon.recurrence.conversion.RecurrenceForm;
import carillon.recurrence.conversion.ScheduleWarnings;
import carillon.recurrence.conversion.ScheduleWarnings.Warning;
import carillon.recurrence.cron.CronReading;
import carillon.recurrence.cron.InexpressibleException;
import carillon.recurrence.timetable.Exclusions;
import carillon.recurrence.timetable.Timetable;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Explanation of a schedule: a description in words, its occurrences with reasons, warnings about
 * unexpected effects, and other forms with the same meaning. The document is that of a {@link
 * Preview}. It may limit the other forms to one by {@code to}.
 */
public final class Explanation {
  private static final String TO = "to";
  private static final Set<String> KNOWN =
      Stream.concat(Preview.OF_SCHEDULE.stream(), Stream.of(TO)).collect(Collectors.toSet());
  private static final EnumNames<RecurrenceForm> FORMS = EnumNames.of(RecurrenceForm.class);

  /** Maximum number of excluded occurrences to show, and of occurrences to search for them. */
  private static final int MAX_EXCLUDED = 100;

  private static final int MAX_LOOKED_AT = 10_000;

  private final Preview preview;
  private final Duration horizon;

  public Explanation(SubmissionLimits limits) {
    this.horizon = limits.horizon();
    this.preview = new Preview(limits);
  }

  /** Returns the explanation as a document, without calendars. */
  public byte[] answer(byte[] json, Instant now) {
    return answer(json, now, CalendarDirectory.EMPTY);
  }

  /**
   * Returns the explanation as a document. Refuses the same mistakes as a submission of such a job.
   *
   * @param calendars as they are now
   */
  public byte[] answer(byte[] json, Instant now, CalendarDirectory calendars) {
    Map<String, Object> document = StrictJsonParser.parse(json, "Malformed explanation");
    try {
      return answer(JsonFields.root(document), now, calendars);
    } catch (JobException e) {
      throw Refusals.all(e, all -> answer(JsonFields.root(document, all), now, calendars));
    }
  }

  private byte[] answer(JsonFields fields, Instant now, CalendarDirectory calendars) {
    fields.allowOnly(KNOWN, Dialect.NATIVE);
    Optional<RecurrenceForm> to = fields.word(TO, FORMS);
    Question question = preview.read(fields, now.truncatedTo(ChronoUnit.MILLIS), calendars);
    if (to.isPresent() && question.definition().recurrence().isEmpty()) {
      throw fields.refusal(TO, "needs a recurrence");
    }
    List<RecurrenceForm> forms = to.map(List::of).orElse(List.of(RecurrenceForm.values()));
    return JsonOut.object(out -> new Answer(question, forms, horizon).write(out));
  }

  /** The explanation of one schedule. */
  private static final class Answer {
    private final Question question;
    private final JobDefinition definition;
    private final List<RecurrenceForm> forms;
    private final List<Instant> occurrences;
    private final Duration horizon;

    Answer(Question question, List<RecurrenceForm> forms, Duration horizon) {
      this.question = question;
      this.horizon = horizon;
      this.definition = question.definition();
      this.forms = forms;
      this.occurrences = question.occurrences();
    }

    void write(JsonGenerator json) throws IOException {
      Instant first = occurrences.get(0);
      JobForecast forecast =
          new JobForecast(
              definition, question.submitted(), Optional.of(first), 1, question.exclusions());
      json.writeStringField("words", forecast.words());
      if (definition.timeZone().isPresent()) {
        write(json, definition.timeZone().get());
      }
      writeOccurrences(json);
      if (definition.occurrences().calendars().isPresent()) {
        writeExcluded(json);
      }
      if (definition.recurrence().isPresent()) {
        Recurrence recurrence = definition.recurrence().get();
        Optional<CronReading> reading = reading(recurrence);
        writeReading(json, reading);
        writeForms(json, recurrence);
        writeWarnings(
            json,
            ScheduleWarnings.of(
                recurrence,
                definition.startTime(),
                question.timetable(),
                first,
                anchor(),
                reading));
      }
    }

    private static void write(JsonGenerator json, JobTimeZone zone) throws IOException {
      json.writeObjectFieldStart("timeZone");
      json.writeStringField("given", zone.name());
      json.writeStringField("id", zone.clock().zone().getId());
      json.writeStringField("tzdata", TimeZoneNames.version());
      json.writeEndObject();
    }

    private void writeOccurrences(JsonGenerator json) throws IOException {
      Optional<WallClock> clock = definition.timeZone().map(JobTimeZone::clock);
      List<MovedTime> moved = clock.map(question.writer(occurrences)::moved).orElse(List.of());
      json.writeArrayFieldStart("occurrences");
      for (Instant at : occurrences) {
        json.writeStartObject();
        json.writeStringField("at", Timestamps.format(at));
        if (clock.isPresent()) {
          json.writeStringField("local", OccurrencesWriter.local(at, clock.get().zone()));
        }
        for (MovedTime time : moved) {
          if (time.occurrences().contains(at)) {
            json.writeStringField("because", Timestamps.format(time.local()) + " " + time.why());
            break;
          }
        }
        json.writeEndObject();
      }
      json.writeEndArray();
    }

    /** Writes the occurrences that calendars exclude, up to the last shown occurrence. */
    private void writeExcluded(JsonGenerator json) throws IOException {
      Timetable plain = definition.timetable(question.submitted());
      Exclusions exclusions = question.exclusions();
      Instant last = occurrences.get(occurrences.size() - 1);
      Optional<Instant> at = plain.first(question.submitted());
      int told = 0;
      json.writeArrayFieldStart("excluded");
      for (int i = 0; i < MAX_LOOKED_AT && told < MAX_EXCLUDED; i++) {
        if (exclusions.isSpent() || at.filter(found -> !found.isAfter(last)).isEmpty()) {
          break;
        }
        Optional<Cause> cause = exclusions.cause(at.get());
        if (cause.isPresent()) {
          write(json, at.get(), cause.get());
          told++;
        }
        at = plain.after(at.get());
      }
      json.writeEndArray();
    }

    private static void write(JsonGenerator json, Instant at, Cause cause) throws IOException {
      json.writeStartObject();
      json.writeStringField("at", Timestamps.format(at));
      json.writeStringField("calendar", cause.calendar());
      if (cause.span().isPresent()) {
        json.writeStringField("name", cause.span().get());
      }
      json.writeEndObject();
    }

    private Optional<CronReading> reading(Recurrence recurrence) {
      return recurrence instanceof CronRecurrence cron
          ? Optional.of(CronReading.of(cron.text(), cron.dialect(), question.job().text()))
          : Optional.empty();
    }

    private static void writeReading(JsonGenerator json, Optional<CronReading> reading)
        throws IOException {
      if (reading.isEmpty()) {
        return;
      }
      json.writeStringField("cronDialect", reading.get().dialect().word());
      if (reading.get().bothDays().isPresent()) {
        json.writeStringField("dayFields", word(reading.get().bothDays().get()));
      }
      if (reading.get().resolved().isPresent()) {
        json.writeStringField("resolved", reading.get().resolved().get());
      }
    }

    private void writeForms(JsonGenerator json, Recurrence recurrence) throws IOException {
      RecurrenceConverter converter =
          new RecurrenceConverter(
              recurrence,
              definition.startTime(),
              question.submitted(),
              definition.timeZone().map(JobTimeZone::clock));
      Map<RecurrenceForm, String> whyNot = new EnumMap<>(RecurrenceForm.class);
      json.writeObjectFieldStart("same");
      for (RecurrenceForm form : forms) {
        try {
          Converted converted = acceptable(converter.to(form));
          json.writeObjectFieldStart(word(form));
          JsonOut.writeInstant(json, "startTime", converted.startTime());
          writeZone(json, converted.recurrence());
          json.writeFieldName("recurrence");
          RecurrenceCodec.write(json, converted.recurrence(), definition.timeZone());
          json.writeEndObject();
        } catch (InexpressibleException e) {
          whyNot.put(form, e.getMessage());
        }
      }
      json.writeEndObject();
      json.writeObjectFieldStart("whyNot");
      for (Map.Entry<RecurrenceForm, String> reason : whyNot.entrySet()) {
        json.writeStringField(word(reason.getKey()), reason.getValue());
      }
      json.writeEndObject();
    }

    /** Refuses a start that is too far ahead, because a job with it would be refused. */
    private Converted acceptable(Converted converted) {
      Instant last = question.submitted().plus(horizon);
      Optional<Instant> start = converted.startTime().filter(last::isBefore);
      if (start.isPresent()) {
        throw new InexpressibleException(
            "it would need a startTime of "
                + Timestamps.format(start.get())
                + ", and that must be at most "
                + horizon.toDays()
                + " days ahead");
      }
      return converted;
    }

    /**
     * Writes the zone in front of an expression, because other forms have it next to the
     * recurrence.
     */
    private void writeZone(JsonGenerator json, Recurrence other) throws IOException {
      Optional<JobTimeZone> inFront =
          definition
              .timeZone()
              .filter(zone -> zone.location() == JobTimeZone.ZoneLocation.EXPRESSION);
      boolean isOther = !definition.recurrence().filter(other::equals).isPresent();
      if (inFront.isPresent() && isOther) {
        json.writeStringField("timeZone", inFront.get().name());
      }
    }

    private static void writeWarnings(JsonGenerator json, List<Warning> warnings)
        throws IOException {
      json.writeArrayFieldStart("warnings");
      for (Warning warning : warnings) {
        json.writeStartObject();
        json.writeStringField("code", warning.code());
        json.writeStringField("message", warning.message());
        json.writeEndObject();
      }
      json.writeEndArray();
    }

    private LocalDateTime anchor() {
      ZoneId zone =
          definition.timeZone().map(JobTimeZone::clock).map(WallClock::zone).orElse(ZoneOffset.UTC);
      return LocalDateTime.ofInstant(definition.startTime().orElse(question.submitted()), zone);
    }

    private static String word(Enum<?> constant) {
      return constant.name().toLowerCase(Locale.ROOT);
    }
  }
}
