package carillon.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.AuditEntry;
import carillon.access.AuditEntry.AuditFilter;
import carillon.job.Precondition;
import carillon.job.attempt.HistoryEntry;
import carillon.job.name.JobState;
import carillon.json.schedule.CalendarCodec;
import carillon.store.resource.CalendarName;
import carillon.support.Engine;
import carillon.support.JobJson;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the next occurrences of jobs follow their calendars. */
class CalendarEngineTest extends EngineFixture {
  private static final CalendarName HOLIDAYS = new CalendarName("default", "default", "holidays");
  private static final String SUNDAYS = "{`spans`:[{`weekDays`:`sunday`}]}";
  private static final Instant FRIDAY = Instant.parse("2026-11-20T09:00:00Z");
  private static final Instant SATURDAY = Instant.parse("2026-11-21T09:00:00Z");
  private static final Instant SUNDAY = Instant.parse("2026-11-22T09:00:00Z");

  @Override
  Instant begin() {
    return FRIDAY.minusSeconds(10);
  }

  /**
   * The engine's timer also asks for due jobs, and would run them before the test looks at them.
   */
  @BeforeEach
  void claimNothing() {
    engine.freeze();
  }

  /** Runs the due jobs, and claims nothing afterwards. */
  private void runDue() {
    engine.beat();
    engine.poll();
    engine.awaitIdle();
    engine.freeze();
  }

  private void calendar(String definition) {
    byte[] json = definition.replace('`', '"').getBytes(UTF_8);
    engine.stores(
        stores ->
            stores
                .resource()
                .calendars()
                .put(HOLIDAYS, CalendarCodec.read(json, "c"), Precondition.NONE, clock.instant()));
    engine.updateCalendars();
  }

  private void deleteCalendar() {
    engine.stores(
        stores ->
            stores.resource().calendars().delete(HOLIDAYS, Precondition.NONE, clock.instant()));
    engine.updateCalendars();
  }

  /** A daily job at nine that names the calendar. */
  private void put(String onExcluded) {
    put(job(FRIDAY.toString()), "{`frequency`:`day`}", onExcluded);
  }

  private void put(JobJson job, String recurrence, String onExcluded) {
    engine.put(
        "daily",
        job.recurrence(recurrence)
            .json()
            .replaceFirst(
                "\\{",
                "{\"calendars\":{\"exclude\":\"Holidays\",\"onExcluded\":\""
                    + onExcluded
                    + "\"},"));
    String name = Engine.name("daily").key();
    engine.redis(
        Command.SADD,
        "carillon:{" + Engine.KEYS.partition(name) + "}:uses:" + HOLIDAYS.key(),
        name);
  }

  private Instant next() {
    return engine.get("daily").next().orElseThrow();
  }

  private List<String> moves() {
    return engine
        .stores(s -> s.job().auditLog().page(AuditFilter.ALL, "", 0, 10))
        .entries()
        .stream()
        .map(AuditEntry::facts)
        .filter(facts -> facts.containsKey("retimed"))
        .map(facts -> facts.get("by") + ": " + facts.get("retimed"))
        .toList();
  }

  @Test
  void theNextOccurrenceFollowsAChangedCalendar() {
    calendar(SUNDAYS);
    put("skip");
    clock.set(FRIDAY);
    runDue();
    assertEquals(SATURDAY, next());

    calendar("{`spans`:[{`weekDays`:[`saturday`,`sunday`]}]}");

    assertEquals(SUNDAY.plusSeconds(86_400), next());
    assertEquals(
        List.of("calendar default/default/holidays: 2026-11-21T09:00:00Z -> 2026-11-23T09:00:00Z"),
        moves());
    calendar("{`spans`:[{`weekDays`:`saturday`}]}");
    assertEquals(SUNDAY, next());
    deleteCalendar();
    assertEquals(SATURDAY, next());
    assertEquals(
        0, engine.redis(Command.EXISTS, "carillon:calendarchanges").toInteger(), "all is followed");
  }

  /** Otherwise the job would be completed, and would forget its calendar. */
  @Test
  void aJobWithoutTimeLeftWaitsForItsCalendarToChange() {
    calendar("{`spans`:[{`from`:`2026-11-21`,`to`:`9999-12-31`},{`date`:`9999-12-31`}]}");
    put("skip");
    clock.set(FRIDAY);
    runDue();

    assertEquals(JobState.ENABLED, engine.get("daily").state());
    assertEquals(Instant.parse("2027-11-21T09:00:00Z"), next(), "an excluded one");

    calendar(SUNDAYS);
    assertEquals(SATURDAY, next());
    clock.set(SATURDAY);
    runDue();
    assertEquals(2, target.calls().size());
  }

  @Test
  void anExcludedNextOccurrenceIsNotDueSoon() {
    calendar(SUNDAYS);
    put("after");

    calendar("{`spans`:[{`from`:`2026-11-20`,`to`:`9999-12-31`},{`date`:`9999-12-31`}]}");

    assertEquals(Instant.parse("2027-11-20T09:00:00Z"), next());
    clock.set(SATURDAY);
    runDue();
    assertEquals(List.of(), target.calls());
    assertEquals(List.of(), engine.history("daily"));
  }

  @Test
  void whatIsMovedFollowsToo() {
    calendar(SUNDAYS);
    put("after");
    clock.set(FRIDAY);
    runDue();

    calendar("{`spans`:[{`from`:`2026-11-21`,`to`:`2026-11-22T07:00`}]}");

    assertEquals(Instant.parse("2026-11-22T07:00:00Z"), next());
  }

  /** The job has no time zone. The time zone of its calendar applies. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{`spans`:[{`date`:`2027-01-01`}]}",
        "{`spans`:[{`from`:`2026-11-20`,`to`:`2026-11-20T11:00`}]}",
        ""
      })
  void whatWaitsForTheEndOfAFreezeRunsWhenThatIsLifted(String lifted) {
    Instant noon = FRIDAY.plus(Duration.ofHours(3));
    calendar("{`spans`:[{`from`:`2026-11-20`,`to`:`2026-11-20T18:00`}]}");
    put("after");
    assertEquals(FRIDAY.plus(Duration.ofHours(9)), next());
    clock.set(noon);

    if (lifted.isEmpty()) {
      deleteCalendar();
    } else {
      calendar(lifted);
    }

    assertEquals(noon, next());
    runDue();
    assertEquals(1, target.calls().size());
    assertEquals(SATURDAY, next());
  }

  /**
   * The occurrences at 10, 11 and 12 become a single one at the end of the freeze, and count once.
   */
  @Test
  void whatIsPutOffTogetherCountsOnce() {
    calendar("{`spans`:[{`from`:`2026-11-20T09:30`,`to`:`2026-11-20T12:30`}]}");
    put(job(FRIDAY.toString()), "{`frequency`:`hour`,`count`:3}", "after");

    for (String at : List.of("09:00", "12:30", "13:00")) {
      Instant instant = Instant.parse("2026-11-20T" + at + ":00Z");
      assertEquals(instant, next());
      clock.set(instant);
      runDue();
    }

    assertEquals(3, target.calls().size());
    assertEquals(JobState.COMPLETED, engine.get("daily").state());
  }

  /** The job was due an hour after its start at nine, during the freeze. */
  @ParameterizedTest
  @CsvSource({
    "2026-11-20T09:30:00Z,2026-11-20T09:59:50Z",
    "2026-11-20T12:00:00Z,2026-11-20T12:00:00Z"
  })
  void aJobThatCountsFromItsStartsRunsWhenAFreezeIsLifted(Instant lifted, Instant next) {
    calendar("{`spans`:[{`from`:`2026-11-20T09:10`,`to`:`2026-11-20T18:00`}]}");
    put(JobJson.get(target.url("/j")), "{`frequency`:`hour`}", "after");
    runDue();
    Instant end = Instant.parse("2026-11-20T18:00:00Z");
    assertTrue(!next().isBefore(end), "put off");
    clock.set(lifted);

    deleteCalendar();

    assertEquals(next, next());
    clock.set(next);
    runDue();
    assertEquals(2, target.calls().size());
    assertEquals(next.plusSeconds(3600), next());
  }

  @Test
  void newRulesOfTheTimeZoneOfACalendarMoveTheNextOccurrence() {
    calendar(
        "{`timeZone`:`Europe/Berlin`,`spans`:[{`from`:`2026-11-21`,`to`:`2026-11-22T08:00`}]}");
    put("after");
    clock.set(FRIDAY);
    runDue();
    assertEquals(Instant.parse("2026-11-22T07:00:00Z"), next());
    Instant byOldRules = Instant.parse("2026-11-22T06:00:00Z");
    String name = Engine.name("daily").key();
    String slot = "carillon:{" + Engine.KEYS.partition(name) + "}:";
    engine.redis(Command.HSET, slot + "job:" + name, "next", byOldRules.toString());
    engine.redis(
        Command.ZADD, slot + "due", Long.toString(byOldRules.toEpochMilli()), "job:" + name);
    engine.redis(Command.HSET, "carillon:meta", "tzdata", "2020a");
    engine.beat();

    engine.updateTimeZones();
    engine.updateCalendars();

    assertEquals(Instant.parse("2026-11-22T07:00:00Z"), next());
  }

  @Test
  void whatIsDueAndExcludedIsSkippedAndDoesNotCount() {
    put("skip");
    calendar("{`spans`:[{`date`:`2026-11-20`}]}");
    assertEquals(SATURDAY, next());
    deleteCalendar();
    assertEquals(FRIDAY, next());
    clock.set(FRIDAY.plusSeconds(1));
    calendar("{`spans`:[{`date`:`2026-11-20`}]}");
    assertEquals(FRIDAY, next(), "it is due and judged when it is claimed");

    runDue();

    HistoryEntry entry = engine.history("daily").get(0);
    assertEquals(Optional.of(HistoryEntry.Reason.EXCLUDED), entry.reason());
    assertEquals(List.of(), target.calls());
    assertEquals(SATURDAY, next());
    assertEquals(1, engine.get("daily").counters().skipped());
  }

  @ParameterizedTest
  @CsvSource({
    "after,2026-11-14T09:00:00Z,day,2026-11-20,2026-11-21T09:00:00Z",
    "after,2026-11-13T09:00:00Z,week,2026-11-20,2026-11-27T09:00:00Z",
    "nextDay,2026-11-13T09:00:00Z,week,2026-11-20,2026-11-27T09:00:00Z",
    "skip,2026-11-14T09:00:00Z,day,2026-11-21,2026-11-22T09:00:00Z",
  })
  void whatRanDoesNotRunAgainAtAnotherTime(
      String onExcluded, String start, String frequency, String date, Instant next) {
    calendar("{`spans`:[{`date`:`2026-01-01`}]}");
    put(job(start), "{`frequency`:`" + frequency + "`}", onExcluded);
    clock.set(FRIDAY);
    runDue();
    clock.set(FRIDAY.plusSeconds(7200));

    calendar("{`spans`:[{`date`:`" + date + "`}]}");

    assertEquals(next, next());
    assertEquals(1, target.calls().size());
  }

  /** Saturday's run was on Friday. */
  @Test
  void whatRanADayBeforeDoesNotRunAgainOnItsOwnDay() {
    calendar("{`spans`:[{`weekDays`:`saturday`}]}");
    put(job("2026-11-14T09:00:00Z"), "{`frequency`:`week`}", "previousDay");
    assertEquals(FRIDAY, next());
    clock.set(FRIDAY);
    runDue();
    assertEquals(Instant.parse("2026-11-27T09:00:00Z"), next());
    clock.set(FRIDAY.plusSeconds(7200));

    calendar("{`spans`:[{`date`:`2026-01-01`}]}");

    assertEquals(Instant.parse("2026-11-28T09:00:00Z"), next());
  }

  /**
   * Otherwise the occurrence would be lost: its own day has begun, and it waited for the next one.
   */
  @ParameterizedTest
  @ValueSource(strings = {"{`spans`:[{`date`:`2027-01-01`}]}", ""})
  void whatWaitsForTheNextDayRunsLateWhenItsOwnDayIsFreed(String freed) {
    calendar("{`spans`:[{`date`:`2026-11-20`}]}");
    put(job("2026-11-13T09:00:00Z"), "{`frequency`:`week`}", "nextDay");
    assertEquals(SATURDAY, next());
    clock.set(FRIDAY.plus(Duration.ofHours(3)));

    if (freed.isEmpty()) {
      deleteCalendar();
    } else {
      calendar(freed);
    }

    assertEquals(FRIDAY, next());
    assertRunsOnce(FRIDAY, FRIDAY.plus(Duration.ofDays(7)));
  }

  /**
   * The occurrence at 12:00 was not excluded and ran. An occurrence that begins later must have a
   * later instant.
   */
  @Test
  void whatWaitsForTheNextDayRunsNowWhenALaterOneRanBefore() {
    calendar("{`spans`:[{`from`:`2026-11-20`,`to`:`2026-11-20T10:00`}]}");
    put(
        job("2026-11-13T09:00:00Z"),
        "{`frequency`:`week`,`schedule`:{`weekDays`:[`friday`],`hours`:[9,12],`minutes`:[0]}}",
        "nextDay");
    Instant noon = FRIDAY.plus(Duration.ofHours(3));
    clock.set(noon);
    runDue();
    assertEquals(SATURDAY, next());
    clock.set(noon.plusSeconds(3600));

    deleteCalendar();

    assertEquals(noon.plusSeconds(3600), next());
    runDue();
    assertEquals(2, target.calls().size());
    assertEquals(FRIDAY.plus(Duration.ofDays(7)), next());
  }

  /** Otherwise the occurrence would be lost: its time on the day before has passed. */
  @ParameterizedTest
  @ValueSource(strings = {"2026-11-14T09:00:00Z", "2026-11-21T09:00:00Z"})
  void whatIsMovedToADayBeforeWhoseTimeIsOverRunsLate(String start) {
    calendar("{`spans`:[{`date`:`2026-01-01`}]}");
    put(job(start), "{`frequency`:`week`}", "previousDay");
    assertEquals(SATURDAY, next());
    clock.set(FRIDAY.plus(Duration.ofHours(3)));

    calendar("{`spans`:[{`date`:`2026-11-21`}]}");

    boolean isFirst = SATURDAY.equals(Instant.parse(start));
    if (isFirst) {
      assertEquals(SATURDAY.plus(Duration.ofDays(7)), next(), "nothing is before the start");
    } else {
      assertRunsOnce(FRIDAY, SATURDAY.plus(Duration.ofDays(7)));
    }
  }

  @Test
  void whatIsMovedToATimeThatIsOverIsLateAsItsJobSays() {
    calendar("{`spans`:[{`date`:`2026-01-01`}]}");
    put(
        job("2026-11-14T09:00:00Z").with("startWithin", "PT1H"),
        "{`frequency`:`week`}",
        "previousDay");
    clock.set(FRIDAY.plus(Duration.ofHours(3)));

    calendar("{`spans`:[{`date`:`2026-11-21`}]}");

    runDue();
    assertEquals(List.of(), target.calls());
    assertEquals(Optional.of(HistoryEntry.Reason.EXPIRED), engine.history("daily").get(0).reason());
    assertEquals(SATURDAY.plus(Duration.ofDays(7)), next());
  }

  /** The occurrence of Saturday ran on Friday. */
  @Test
  void whatRanADayBeforeDoesNotRunAgainWhenTheCalendarIsDeleted() {
    calendar("{`spans`:[{`weekDays`:`saturday`}]}");
    put(job("2026-11-14T09:00:00Z"), "{`frequency`:`week`}", "previousDay");
    clock.set(FRIDAY);
    runDue();
    clock.set(FRIDAY.plusSeconds(7200));

    deleteCalendar();

    assertEquals(Instant.parse("2026-11-28T09:00:00Z"), next());
  }

  private void assertRunsOnce(Instant instant, Instant following) {
    runDue();
    assertEquals(1, target.calls().size());
    assertEquals(
        List.of(instant), engine.history("daily").stream().map(HistoryEntry::dueAt).toList());
    assertEquals(following, next());
  }

  @Test
  void aJobThatCountsFromItsStartsFollowsToo() {
    calendar("{`spans`:[{`date`:`2026-01-01`}]}");
    put(JobJson.get(target.url("/j")), "{`frequency`:`day`}", "skip");
    runDue();
    Instant own = next();
    assertEquals(begin().plusSeconds(86_400), own);

    calendar("{`spans`:[{`from`:`2026-11-21`,`to`:`9999-12-31`},{`date`:`9999-12-31`}]}");
    assertTrue(next().isAfter(own.plusSeconds(300 * 86_400)), "it waits for its calendar");
    calendar("{`spans`:[{`weekDays`:`saturday`}]}");
    assertEquals(own.plusSeconds(86_400), next());
    clock.set(own.plusSeconds(3600));
    calendar("{`spans`:[{`weekDays`:`sunday`}]}");
    assertEquals(clock.instant().plusSeconds(86_400 * 2), next(), "as if it began now");
  }

  @Test
  void aDamagedKeyDoesNotStopTheOthers() {
    calendar(SUNDAYS);
    put("skip");
    clock.set(FRIDAY);
    runDue();
    String damaged = Engine.name("damaged").key();
    int partition = Engine.KEYS.partition(damaged);
    String slot = "carillon:{" + partition + "}:";
    engine.redis(Command.SADD, slot + "uses:" + HOLIDAYS.key(), damaged);
    engine.redis(Command.SET, slot + "job:" + damaged, "no hash");
    int other = Engine.KEYS.partition(Engine.name("daily").key()) == 0 ? 1 : 0;
    if (other != partition) {
      engine.redis(Command.SET, "carillon:{" + other + "}:uses:" + HOLIDAYS.key(), "no set");
    }

    calendar("{`spans`:[{`weekDays`:[`saturday`,`sunday`]}]}");

    assertEquals(SUNDAY.plusSeconds(86_400), next());
    assertEquals(0, engine.redis(Command.EXISTS, "carillon:calendarchanges").toInteger());
  }

  @ParameterizedTest
  @ValueSource(strings = {"nonsense", "5 2026-11-20T18:00:00Z 2026-11-20T18:00:00Z %s {"})
  void anUnreadableCalendarHoldsItsJobsBack(String record) {
    calendar(SUNDAYS);
    put("skip");
    engine.redis(
        Command.HSET, "carillon:calendars", HOLIDAYS.key(), record.formatted(HOLIDAYS.path()));
    engine.redis(Command.HINCRBY, "carillon:calendars", "revision", "1");
    engine.updateCalendars();

    clock.set(FRIDAY);
    runDue();

    assertEquals(0, target.calls().size(), "it may be a holiday");
    assertEquals(Optional.of(FRIDAY), engine.get("daily").next());
    assertEquals(List.of(), engine.history("daily"));

    calendar(SUNDAYS);
    clock.set(FRIDAY.plusSeconds(11));
    runDue();

    assertEquals(1, target.calls().size());
    assertEquals(SATURDAY, next());
  }

  @Test
  void aDamagedKeyOfAllCalendarsHoldsJobsBack() {
    calendar(SUNDAYS);
    put("skip");
    engine.redis(Command.RENAME, "carillon:calendars", "carillon:away");
    engine.redis(Command.SET, "carillon:calendars", "no hash");
    engine.updateCalendars();

    clock.set(FRIDAY);
    runDue();

    assertEquals(0, target.calls().size());

    engine.redis(Command.RENAME, "carillon:away", "carillon:calendars");
    engine.updateCalendars();
    clock.set(FRIDAY.plusSeconds(11));
    runDue();

    assertEquals(1, target.calls().size());
  }

  /** The change was noted after the calendar had been read. */
  @Test
  void aChangeThatIsNotedLateIsFollowed() {
    calendar(SUNDAYS);
    put("skip");
    clock.set(FRIDAY);
    runDue();
    setNext("daily", SUNDAY);

    engine.redis(Command.HINCRBY, "carillon:calendarchanges", HOLIDAYS.key(), "1");
    engine.updateCalendars();

    assertEquals(SATURDAY, next());
  }

  /** A node that dies between the two steps has already noted the change. */
  @Test
  void aChangeIsNotedBeforeItIsWritten() {
    assertThrows(
        RuntimeException.class,
        () ->
            engine.stores(
                stores ->
                    stores
                        .resource()
                        .calendars()
                        .put(
                            HOLIDAYS,
                            CalendarCodec.read(SUNDAYS.replace('`', '"').getBytes(UTF_8), "c"),
                            Precondition.revision(7),
                            clock.instant())));

    assertEquals(1, engine.redis(Command.EXISTS, "carillon:calendarchanges").toInteger());
  }

  private void setNext(String job, Instant next) {
    String name = Engine.name(job).key();
    String slot = "carillon:{" + Engine.KEYS.partition(name) + "}:";
    engine.redis(Command.HSET, slot + "job:" + name, "next", next.toString());
    engine.redis(Command.ZADD, slot + "due", Long.toString(next.toEpochMilli()), "job:" + name);
  }
}
