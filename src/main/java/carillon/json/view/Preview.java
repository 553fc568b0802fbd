package carillon.json.view;

import carillon.job.JobDefinition;
import carillon.job.JobDefinition.Metadata;
import carillon.job.OccurrencePolicy;
import carillon.job.action.Action;
import carillon.job.action.ActionCall;
import carillon.job.action.HttpCall;
import carillon.job.action.RetryPolicy;
import carillon.job.name.CollectionName;
import carillon.job.name.JobException;
import carillon.job.name.JobKey;
import carillon.job.template.CallValues;
import carillon.job.template.Template;
import carillon.job.template.Template.Word;
import carillon.json.JobShorthand;
import carillon.json.action.ActionCodec;
import carillon.json.schedule.JobCalendarsCodec;
import carillon.json.schedule.OccurrencePolicyCodec;
import carillon.json.schedule.ScheduleCodec;
import carillon.json.schedule.ScheduleCodec.JobSchedule;
import carillon.json.schedule.ScheduleLimits;
import carillon.json.text.Dialect;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.json.text.Refusals;
import carillon.json.text.StrictJsonParser;
import carillon.json.text.SubmissionLimits;
import carillon.json.text.Timestamps;
import carillon.recurrence.Recurrence;
import carillon.recurrence.calendar.CalendarDirectory;
import carillon.recurrence.timetable.Exclusions;
import carillon.recurrence.timetable.Timetable;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Preview of a recurrence: the run times of a job, without creating it. The document holds the
 * {@code startTime}, {@code recurrence}, {@code jitter} and {@code calendars} of a job. It may hold
 * {@code now}, the assumed moment of submission, and {@code top}, the number of occurrences to
 * list. It may also hold {@code job}, the name for {@code H} of a cron expression and for the
 * jitter. With an {@code action} that has placeholders, the answer shows the first calls.
 */
public final class Preview {
  /** Fields of the schedule and of the question. */
  static final Set<String> OF_SCHEDULE =
      Set.of(
          "startTime", "timeZone", "dst", "recurrence", "jitter", "calendars", "job", "now", "top");

  private static final String ACTION = "action";
  private static final Set<String> KNOWN =
      Stream.concat(OF_SCHEDULE.stream(), Stream.of(ACTION)).collect(Collectors.toSet());

  /** Maximum number of calls to show. */
  private static final int MAX_CALLS = 10;

  private static final int DEFAULT_TOP = 10;
  private static final int MAX_TOP = 1000;

  private static final String JOB = "job";
  private static final JobKey NO_JOB = new JobKey("");
  private static final JobKey SOME_JOB = new JobKey("default/default/any/any");

  /** Placeholder for the action of a definition, never performed. */
  private static final Action NOTHING =
      new Action(
          new HttpCall(false, "http://localhost/", "GET", Map.of(), Optional.empty()),
          RetryPolicy.NONE);

  private final ScheduleCodec schedules = new ScheduleCodec(Dialect.NATIVE);
  private final OccurrencePolicyCodec occurrences = new OccurrencePolicyCodec(Dialect.NATIVE);
  private final ScheduleLimits scheduleLimits;
  private final ActionCodec actions;

  public Preview(SubmissionLimits limits) {
    this.scheduleLimits = new ScheduleLimits(limits);
    this.actions = new ActionCodec(Dialect.NATIVE, limits);
  }

  /**
   * Request for a preview.
   *
   * @param submitted the moment of submission to assume
   * @param job whose name cron expressions may use
   * @param exclusions by the calendars as they are now
   * @param timetable without excluded occurrences; reused, because searches for rare occurrences
   *     take long
   */
  record Question(
      JobDefinition definition,
      Instant submitted,
      JobKey job,
      int top,
      Exclusions exclusions,
      Timetable timetable) {
    /** Returns the occurrences. Refuses a list that needs too many lookups in calendars. */
    List<Instant> occurrences() {
      List<Instant> occurrences = timetable.preview(submitted, top);
      int count = definition.recurrence().map(Recurrence::count).orElse(1);
      int most = count == Recurrence.NO_COUNT ? top : Math.min(top, count);
      if (occurrences.size() < most && exclusions.isSpent()) {
        throw JsonFields.refuse(
            "top",
            top,
            "must be at most "
                + occurrences.size()
                + ": the calendars have too many spans that repeat for more");
      }
      return occurrences;
    }

    /** Values of the n-th call, if all calls before it succeed. */
    private CallValues values(List<Instant> occurrences, int n) {
      Map<Word, Instant> instants = new EnumMap<>(Word.class);
      instants.put(Word.SCHEDULED_AT, occurrences.get(n));
      if (n > 0) {
        instants.put(Word.LAST_SUCCESS_AT, occurrences.get(n - 1));
      }
      Map<Word, String> texts = new EnumMap<>(Word.class);
      texts.put(Word.ATTEMPT, "1");
      if (!job.equals(NO_JOB)) {
        texts.put(Word.JOB, job.name());
        texts.put(Word.COLLECTION, job.jobName().collection().collection());
      }
      return new CallValues(definition.zone(), instants, texts);
    }

    OccurrencesWriter writer(List<Instant> occurrences) {
      return new OccurrencesWriter(definition, timetable, from(), occurrences);
    }

    private Instant from() {
      return definition.startTime().filter(submitted::isBefore).orElse(submitted);
    }
  }

  /**
   * Returns the job that a request names, in the form of the command line. Without a collection, or
   * a group, it is in that of {@code default}.
   */
  private static JobKey job(JsonFields fields) {
    Optional<String> given = fields.text(JOB);
    if (given.isEmpty()) {
      return fields.has(JOB) ? SOME_JOB : NO_JOB;
    }
    try {
      Optional<JobKey> key = key(List.of(given.get().split("/", -1)));
      if (key.isPresent()) {
        return key.get();
      }
    } catch (JobException e) {
      // refused below
    }
    fields.report(
        fields.refusal(JOB, "must be [COLLECTION/]JOB or SUBSCRIPTION/GROUP/COLLECTION/JOB"));
    return SOME_JOB;
  }

  private static Optional<JobKey> key(List<String> parts) {
    return switch (parts.size()) {
      case 1 -> Optional.of(key("default/default/default", parts.get(0)));
      case 2 -> Optional.of(key("default/default/" + parts.get(0), parts.get(1)));
      case 4 -> Optional.of(key(String.join("/", parts.subList(0, 3)), parts.get(3)));
      default -> Optional.empty();
    };
  }

  private static JobKey key(String collection, String job) {
    return new JobKey(CollectionName.parse(collection).job(job).key());
  }

  /** Returns the job, or some job of the default group if the request names none. */
  private static JobKey inGroup(JobKey job) {
    return job.group().isEmpty() ? SOME_JOB : job;
  }

  /** Returns the occurrences as a document, without calendars. */
  public byte[] answer(byte[] json, Instant now) {
    return answer(json, now, CalendarDirectory.EMPTY);
  }

  /**
   * Returns the occurrences as a document. Refuses the same mistakes as a submission of such a job.
   *
   * @param calendars as they are now
   */
  public byte[] answer(byte[] json, Instant now, CalendarDirectory calendars) {
    Map<String, Object> document = StrictJsonParser.parse(json, "Malformed preview");
    JobShorthand.expandActions(document);
    Question question;
    try {
      question = question(JsonFields.root(document), now, calendars);
    } catch (JobException e) {
      throw Refusals.all(e, all -> question(JsonFields.root(document, all), now, calendars));
    }
    List<Instant> occurrences = question.occurrences();
    return JsonOut.object(
        out -> {
          question.writer(occurrences).writeFields(out);
          writeCalls(out, question, occurrences);
        });
  }

  /** Writes the first calls with the values of their placeholders, and without secrets. */
  private static void writeCalls(JsonGenerator json, Question question, List<Instant> occurrences)
      throws IOException {
    Action action = question.definition().action();
    if (!action.placeholders()) {
      return;
    }
    json.writeArrayFieldStart("calls");
    for (int i = 0; i < Math.min(MAX_CALLS, occurrences.size()); i++) {
      ActionCall call = Template.fill(action.call(), question.values(occurrences, i));
      json.writeStartObject();
      json.writeStringField("scheduledAt", Timestamps.format(occurrences.get(i)));
      ActionCodec.write(json, new Action(call, RetryPolicy.UNSPECIFIED), Dialect.NATIVE);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private Question question(JsonFields fields, Instant now, CalendarDirectory calendars) {
    fields.allowOnly(KNOWN, Dialect.NATIVE);
    return read(fields, now, calendars);
  }

  /** Reads the action. Its error action is only checked. */
  private Action action(JsonFields fields) {
    actions.readErrorAction(fields);
    return actions.read(fields);
  }

  /** Reads a request. Refuses the same mistakes as a submission of such a job. */
  Question read(JsonFields fields, Instant now, CalendarDirectory calendars) {
    Instant submitted = fields.instant("now").orElse(now);
    int top = fields.integer("top", 1, MAX_TOP).orElse(DEFAULT_TOP);
    JobKey job = job(fields);
    JobCalendarsCodec.checkSubmitted(fields);
    JobSchedule schedule = schedules.read(fields, job);
    Action action = fields.object(ACTION, this::action).orElse(NOTHING);
    OccurrencePolicy policy = occurrences.read(fields, job);
    fields.throwCollected();
    JobDefinition definition =
        new JobDefinition(
            schedule.startTime(),
            action,
            Optional.empty(),
            schedule.recurrence(),
            Optional.empty(),
            schedule.timeZone(),
            policy,
            OptionalInt.empty(),
            Metadata.NONE);
    scheduleLimits.check(definition, submitted, submitted);
    JobCalendarsCodec.check(
        definition, inGroup(job), calendars, Optional.empty(), submitted, submitted);
    Exclusions exclusions = definition.exclusions(inGroup(job), calendars);
    Timetable timetable = definition.timetable(submitted).except(exclusions);
    return new Question(definition, submitted, job, top, exclusions, timetable);
  }
}
