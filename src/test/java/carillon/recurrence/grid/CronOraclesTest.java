package carillon.recurrence.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.recurrence.CronRandoms;
import carillon.recurrence.Randoms;
import carillon.recurrence.cron.CronDialect;
import carillon.recurrence.cron.CronParser;
import carillon.recurrence.cron.CronRule;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import java.text.ParseException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TimeZone;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.quartz.CronExpression;

/** Comparison of random expressions with other cron implementations, in UTC. */
class CronOraclesTest {
  private static final long SEED = Long.getLong("carillon.cron.seed", 20261123);
  private static final int EXPRESSIONS = Integer.getInteger("carillon.cron.expressions", 2000);
  private static final Instant FROM = Instant.parse("2019-01-01T00:00:00Z");
  private static final Instant TO = Instant.parse("2041-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("2060-01-01T00:00:00Z");

  private final Randoms random = new Randoms(SEED);
  private final CronRandoms expressions = new CronRandoms(random);

  @Test
  void quartzSaysTheSame() throws ParseException {
    for (int i = 0; i < EXPRESSIONS; i++) {
      String text = expressions.quartz();
      if (text.contains("W ") && !text.contains("LW ")) {
        // Quartz 2.5.1 omits months whose 22W falls on a Sunday.
        continue;
      }
      CronExpression quartz = new CronExpression(text);
      quartz.setTimeZone(TimeZone.getTimeZone("UTC"));
      compare(
          text,
          CronDialect.QUARTZ,
          after ->
              Optional.ofNullable(quartz.getNextValidTimeAfter(Date.from(after)))
                  .map(Date::toInstant));
    }
  }

  private void compare(
      String text, CronDialect dialect, Function<Instant, Optional<Instant>> oracle) {
    Grid grid = grid(text, dialect);
    Instant after = random.between(FROM, TO).truncatedTo(ChronoUnit.SECONDS);
    List<Optional<Instant>> expected = new ArrayList<>();
    List<Optional<Instant>> found = new ArrayList<>();
    Instant at = after;
    for (int i = 0; i < 4 && at.isBefore(LATEST); i++) {
      Optional<Instant> next = oracle.apply(at).filter(LATEST::isAfter);
      long ours = grid.ceiling(at.getEpochSecond() + 1);
      expected.add(next);
      found.add(
          Optional.of(ours)
              .filter(second -> second < LATEST.getEpochSecond())
              .map(Instant::ofEpochSecond));
      at = next.orElse(LATEST);
    }
    assertEquals(expected, found, text + " after " + after);
  }

  private static Grid grid(String text, CronDialect dialect) {
    CronRule rule = CronParser.parse(text, Optional.of(dialect), "job");
    return CronGridBuilder.build(((CronRule.Matching) rule).expression());
  }

  @Test
  void cronUtilsSaysTheSame() {
    var parser =
        new com.cronutils.parser.CronParser(
            CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));
    for (int i = 0; i < EXPRESSIONS; i++) {
      String text = expressions.unix();
      if (isReadOtherwise(text)) {
        continue;
      }
      ExecutionTime theirs = ExecutionTime.forCron(parser.parse(text));
      compare(
          text,
          CronDialect.UNIX,
          after -> theirs.nextExecution(after.atZone(ZoneOffset.UTC)).map(t -> t.toInstant()));
    }
  }

  /**
   * Whether cron-utils reads the expression differently. It matches either of the two day fields
   * even if one begins with a star. It also rejects ranges that wrap around.
   */
  private static boolean isReadOtherwise(String text) {
    String[] fields = text.split(" ", -1);
    return fields[2].startsWith("*/")
        || fields[4].startsWith("*/")
        || fields[4].matches("[A-Za-z]+-[A-Za-z]+");
  }

  @Test
  void aModelOfVixiesCronSaysTheSame() {
    for (int i = 0; i < EXPRESSIONS; i++) {
      String text = expressions.unix();
      VixieModel model = new VixieModel(text);
      Grid grid = grid(text, CronDialect.UNIX);
      LocalDateTime at =
          LocalDateTime.ofInstant(random.between(FROM, TO), ZoneOffset.UTC)
              .withSecond(0)
              .withNano(0);
      for (int minute = 0; minute < 500; minute++, at = at.plusMinutes(random.oneIn(3) ? 1 : 97)) {
        long second = at.toEpochSecond(ZoneOffset.UTC);
        assertEquals(model.matches(at), grid.ceiling(second) == second, text + " at " + at);
      }
    }
  }

  /**
   * Vixie's cron, as simple and slow as possible: checks for one minute whether it matches an
   * expression of five fields.
   */
  private record VixieModel(String text) {
    private static final List<String> DAYS =
        List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");
    private static final String MONTHS = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC";

    boolean matches(LocalDateTime at) {
      String[] fields = text.toUpperCase(Locale.ROOT).split(" ", -1);
      boolean day = fits(fields[2], at.getDayOfMonth(), 1, 31);
      boolean weekDay = fits(fields[4], at.getDayOfWeek().getValue() % 7, 0, 6);
      boolean isStarred = fields[2].startsWith("*") || fields[4].startsWith("*");
      return fits(fields[0], at.getMinute(), 0, 59)
          && fits(fields[1], at.getHour(), 0, 23)
          && fits(fields[3], at.getMonthValue(), 1, 12)
          && (isStarred ? day && weekDay : day || weekDay);
    }

    private static boolean fits(String field, int value, int min, int max) {
      for (String item : field.split(",", -1)) {
        String[] parts = item.split("/", -1);
        String[] ends =
            parts[0].equals("*") ? new String[] {"" + min, "" + max} : parts[0].split("-", -1);
        int step = parts.length == 1 ? 1 : Integer.parseInt(parts[1]);
        int low = number(ends[0]);
        int high = number(ends[ends.length - 1]);
        int size = max - min + 1;
        if (Math.floorMod(value - low, size) <= Math.floorMod(high - low, size)
            && Math.floorMod(value - low, size) % step == 0) {
          return true;
        }
      }
      return false;
    }

    private static int number(String text) {
      if (Character.isDigit(text.charAt(0))) {
        return Integer.parseInt(text);
      }
      return DAYS.contains(text) ? DAYS.indexOf(text) : MONTHS.indexOf(text) / 3 + 1;
    }
  }
}
