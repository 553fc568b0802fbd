package carillon.json;

import carillon.job.JobDefinition;
import carillon.job.JobDefinition.Metadata;
import carillon.job.OccurrencePolicy;
import carillon.job.OccurrencePolicy.Jitter;
import carillon.job.OccurrencePolicy.Missed;
import carillon.job.OccurrencePolicy.Overlap;
import carillon.job.action.Action;
import carillon.job.action.ActionCall;
import carillon.job.action.HttpCall;
import carillon.job.action.RedisListCall;
import carillon.job.action.RedisStreamCall;
import carillon.job.action.RetryPolicy;
import carillon.job.action.Secret;
import carillon.job.action.ServiceBusCall;
import carillon.job.action.ServiceBusCall.BrokeredProperties;
import carillon.job.action.StatusSet;
import carillon.job.action.StorageQueueCall;
import carillon.job.action.TraceContext;
import carillon.recurrence.CronRecurrence;
import carillon.recurrence.DstPolicy;
import carillon.recurrence.DstPolicy.Fold;
import carillon.recurrence.DstPolicy.Gap;
import carillon.recurrence.Frequency;
import carillon.recurrence.JobTimeZone;
import carillon.recurrence.PeriodicRecurrence;
import carillon.recurrence.Recurrence;
import carillon.recurrence.RruleRecurrence;
import carillon.recurrence.Schedule;
import carillon.recurrence.Schedule.MonthlyOccurrence;
import carillon.recurrence.WallClock;
import carillon.recurrence.calendar.JobCalendars;
import carillon.recurrence.cron.CronDialect;
import carillon.recurrence.cron.CronParser;
import carillon.recurrence.cron.CronRule;
import carillon.recurrence.rrule.RruleParser;
import carillon.recurrence.timetable.Exclusions.OnExcluded;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;

/** Generates valid job definitions of every shape. */
final class RandomDefinitions {
  private static final List<Frequency> FREQUENCIES = List.of(Frequency.values());

  private static final List<ServiceBusCall.Transport> TRANSPORTS =
      List.of(ServiceBusCall.Transport.values());

  private static final List<String> ZONES = List.of("Europe/Berlin", "US/Pacific", "+05:30");
  private static final List<Gap> GAPS = List.of(Gap.values());
  private static final List<Fold> FOLDS = List.of(Fold.values());

  private final Random random;

  private boolean withQueues;

  RandomDefinitions(Random random) {
    this.random = random;
  }

  /**
   * Allows every kind of action from now on. Actions with secrets cannot be submitted as answered.
   */
  RandomDefinitions withQueues() {
    withQueues = true;
    return this;
  }

  JobDefinition next() {
    Optional<JobTimeZone> zone =
        random.nextInt(4) == 0 ? Optional.of(timeZone()) : Optional.empty();
    Optional<Instant> start =
        zone.flatMap(z -> z.clock().start().map(z.clock()::startsAt))
            .or(() -> maybe(instant(2000)));
    Action action = action();
    Optional<Action> errorAction = random.nextBoolean() ? Optional.of(action()) : Optional.empty();
    Optional<Recurrence> recurrence =
        random.nextBoolean() ? Optional.of(recurrence()) : Optional.empty();
    return new JobDefinition(
        start,
        action,
        errorAction,
        recurrence,
        trace(),
        zone,
        occurrences(start, recurrence),
        failures(recurrence),
        new Metadata(
            maybe("what\n\"it\" is for 🕐"),
            maybe(Map.of("team", "Billing@1", "a.b-c", "x")).orElse(Map.of())));
  }

  private OptionalInt failures(Optional<Recurrence> recurrence) {
    return recurrence.isPresent() && random.nextBoolean()
        ? OptionalInt.of(1 + random.nextInt(1000))
        : OptionalInt.empty();
  }

  /**
   * Returns a policy for late occurrences. Jobs without a start or a recurrence cannot miss
   * occurrences.
   */
  private OccurrencePolicy occurrences(Optional<Instant> start, Optional<Recurrence> recurrence) {
    Optional<Missed> missed = start.flatMap(given -> recurrence.flatMap(of -> maybe(missed())));
    boolean isBound = missed.filter(m -> m.run() == OccurrencePolicy.Catchup.NONE).isPresent();
    Optional<Duration> within = maybe(Duration.ofMillis(1000 + random.nextInt(1_000_000_000)));
    return new OccurrencePolicy(
        missed,
        isBound ? Optional.empty() : within,
        maybe(jitter()),
        recurrence.flatMap(of -> maybe(overlap())),
        recurrence.flatMap(of -> maybe(calendars())),
        random.nextInt(-10, 11));
  }

  private Overlap overlap() {
    Overlap.Rule rule = List.of(Overlap.Rule.values()).get(random.nextInt(3));
    return rule == Overlap.Rule.BUFFER_ALL
        ? new Overlap(rule, 1 + random.nextInt(100))
        : new Overlap(rule);
  }

  private JobCalendars calendars() {
    List<String> only = random.nextBoolean() ? List.of("business-hours") : List.of();
    OnExcluded what = random.nextBoolean() ? OnExcluded.SKIP : OnExcluded.AFTER;
    return new JobCalendars(List.of("Holidays-de", "freeze"), only, what);
  }

  /** Returns a jitter shorter than any interval between occurrences. */
  private Jitter jitter() {
    Jitter.Per per = random.nextBoolean() ? Jitter.Per.JOB : Jitter.Per.OCCURRENCE;
    return new Jitter(Duration.ofSeconds(1), per, "s/g/c/j");
  }

  private Missed missed() {
    return switch (random.nextInt(3)) {
      case 0 -> new Missed(OccurrencePolicy.Catchup.LATEST);
      case 1 -> new Missed(OccurrencePolicy.Catchup.NONE);
      default ->
          new Missed(
              OccurrencePolicy.Catchup.ALL,
              1 + random.nextInt(1000),
              Duration.ofMillis(100 + random.nextInt(3_599_900)));
    };
  }

  /** Returns a time zone with a start about noon, since no clock changes at that time. */
  private JobTimeZone timeZone() {
    String name = ZONES.get(random.nextInt(ZONES.size()));
    LocalDateTime noon = LocalDateTime.of(2027, 1 + random.nextInt(12), 28, 12, 0);
    WallClock clock =
        new WallClock(
            ZoneId.of(name),
            new DstPolicy(GAPS.get(random.nextInt(4)), FOLDS.get(random.nextInt(4))),
            maybe(noon.plusNanos(100L * random.nextInt(1_000_000_000))),
            Optional.empty());
    return new JobTimeZone(name, JobTimeZone.ZoneLocation.JOB, clock);
  }

  private Optional<TraceContext> trace() {
    String parent =
        String.format("00-%032x-%016x-01", 1 + random.nextInt(99), 1 + random.nextInt(99));
    return maybe(new TraceContext(parent, random.nextBoolean() ? "" : "vendor=\"x\""));
  }

  private <T> Optional<T> maybe(T value) {
    return random.nextBoolean() ? Optional.of(value) : Optional.empty();
  }

  private Instant instant(int year) {
    long second = Instant.parse(year + "-01-01T00:00:00Z").getEpochSecond();
    return Instant.ofEpochSecond(
        second + random.nextInt(1_000_000_000), random.nextInt(10_000_000) * 100L);
  }

  private Action action() {
    ActionCall call = withQueues ? queueCall() : httpCall();
    boolean isHttp = call instanceof HttpCall;
    return new Action(
        call,
        retryPolicy(isHttp),
        maybe(timeout()),
        isHttp ? maybe(new StatusSet(List.of("2xx", "404"))) : Optional.empty(),
        maybe("crm"),
        random.nextBoolean());
  }

  private ActionCall queueCall() {
    String text = "<\"\u0000\\ 🕐 " + random.nextInt() + "&";
    Map<String, String> texts = random.nextBoolean() ? Map.of("Kind", text, "to", "") : Map.of();
    return switch (random.nextInt(5)) {
      case 0 -> new StorageQueueCall("acct", "queue", text, new Secret("?sig=" + text));
      case 1 ->
          new ServiceBusCall(
              random.nextBoolean() ? ServiceBusCall.Entity.QUEUE : ServiceBusCall.Entity.TOPIC,
              "a/b",
              "contoso",
              maybe(TRANSPORTS.get(random.nextInt(3))),
              new ServiceBusCall.SharedAccessKey("name", new Secret(text)),
              text,
              brokered(),
              texts);
      case 2 -> new RedisStreamCall("a:b", text, texts, random.nextInt(2));
      case 3 -> new RedisListCall("a:b", text, RedisListCall.Side.RIGHT, random.nextInt(2));
      default -> httpCall();
    };
  }

  private BrokeredProperties brokered() {
    Map<BrokeredProperties.TextProperty, String> texts =
        new EnumMap<>(BrokeredProperties.TextProperty.class);
    for (BrokeredProperties.TextProperty text : BrokeredProperties.TextProperty.values()) {
      maybe("v" + random.nextInt()).ifPresent(value -> texts.put(text, value));
    }
    return new BrokeredProperties(
        texts,
        maybe(random.nextBoolean()),
        maybe(instant(2000)),
        maybe(Duration.ofMillis(1 + random.nextInt(1_000_000_000))));
  }

  private HttpCall httpCall() {
    Map<String, String> headers = new LinkedHashMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      headers.put("X-Body-" + i, "väl\t" + random.nextInt());
    }
    return new HttpCall(
        random.nextBoolean(),
        "https://host" + random.nextInt(9) + "/a%2f?b=\"c".replace("\"", "%22"),
        random.nextBoolean() ? "get" : "POST",
        headers,
        maybe("{\"a\":\"\u0000\\ 🕐\"}"));
  }

  private RetryPolicy retryPolicy(boolean isHttp) {
    StatusSet giveUpOn =
        isHttp && random.nextBoolean() ? new StatusSet(List.of("4xx", "501")) : StatusSet.NONE;
    return switch (random.nextInt(4)) {
      case 0 -> RetryPolicy.UNSPECIFIED;
      case 1 -> RetryPolicy.NONE;
      case 2 -> new RetryPolicy.Fixed(duration(), random.nextInt(21), maybe(duration()), giveUpOn);
      default -> exponential(duration(), giveUpOn);
    };
  }

  private RetryPolicy exponential(Duration interval, StatusSet giveUpOn) {
    return new RetryPolicy.Exponential(
        interval,
        1 + random.nextInt(91) / 10.0,
        interval.plus(duration()),
        random.nextInt(101) / 100.0,
        random.nextInt(21),
        maybe(duration()),
        giveUpOn);
  }

  private Duration timeout() {
    return Duration.ofMillis(100 + random.nextInt(3_599_900));
  }

  private Duration duration() {
    return Duration.ofSeconds(1 + random.nextInt(20_000_000), random.nextInt(10_000_000) * 100L);
  }

  private Recurrence recurrence() {
    int count =
        random.nextBoolean() ? Recurrence.NO_COUNT : 1 + random.nextInt(Integer.MAX_VALUE - 1);
    Instant end = random.nextBoolean() ? Recurrence.NO_END : instant(2150);
    return switch (random.nextInt(6)) {
      case 0 -> cron(count, end);
      case 1 -> rrule(count, end);
      default -> periodic(count, end);
    };
  }

  private Recurrence rrule(int count, Instant end) {
    List<String> lines = List.of("RRULE:FREQ=MONTHLY;BYDAY=-1FR", "EXDATE:20270129T000000");
    boolean isListed = random.nextBoolean();
    String text = String.join("\n", lines);
    return new RruleRecurrence(
        isListed ? lines : List.of(text), isListed, RruleParser.parse(text), count, end);
  }

  private static Recurrence cron(int count, Instant end) {
    String expression = "0 0 H ? * 2-6";
    Optional<CronDialect> dialect = Optional.of(CronDialect.QUARTZ);
    CronRule rule = CronParser.parse(expression, dialect, "s/g/c/j");
    return new CronRecurrence(expression, dialect, rule, count, end);
  }

  private Recurrence periodic(int count, Instant end) {
    Frequency frequency = FREQUENCIES.get(random.nextInt(7));
    return new PeriodicRecurrence(
        frequency, 1 + random.nextInt(frequency.maxInterval()), count, end, schedule(frequency));
  }

  private Schedule schedule(Frequency frequency) {
    // Some times of day never match intervals such as every 918 minutes.
    boolean hasTimes = frequency.compareTo(Frequency.HOUR) > 0 && random.nextBoolean();
    boolean isMonth = frequency == Frequency.MONTH;
    return new Schedule(
        hasTimes ? List.of(random.nextInt(60), 59) : List.of(),
        hasTimes ? List.of(random.nextInt(24)) : List.of(),
        frequency == Frequency.WEEK ? List.of(DayOfWeek.of(1 + random.nextInt(7))) : List.of(),
        isMonth ? List.of(-1, 1 + random.nextInt(28)) : List.of(),
        isMonth
            ? List.of(
                new MonthlyOccurrence(DayOfWeek.FRIDAY, -5 + random.nextInt(5)),
                new MonthlyOccurrence(DayOfWeek.SUNDAY, MonthlyOccurrence.EVERY))
            : List.of(),
        List.of());
  }
}
