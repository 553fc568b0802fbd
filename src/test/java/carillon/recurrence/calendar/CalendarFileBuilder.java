package carillon.recurrence.calendar;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Builder of iCalendar files with events of many kinds. Also computes the covered time of each
 * file, by plain arithmetic of {@code java.time} on the meaning of the events, not on the written
 * text.
 */
final class CalendarFileBuilder {
  /** Begin of the tested year, in seconds. All single events lie well within this year. */
  static final long FIRST = Instant.parse("2026-12-01T12:00:00Z").getEpochSecond();

  static final long LAST = Instant.parse("2027-12-01T12:00:00Z").getEpochSecond();

  /** Ends of the reasons by which tests recognize them. */
  static final List<String> REASONS =
      List.of(
          "is timed and marked as free time",
          "is cancelled (STATUS:CANCELLED)",
          "never begins",
          "in the years 1970 to 9999",
          "is no time zone known here",
          "takes up no time",
          "is taken out by its EXDATE",
          "is no event");

  private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("uuuuMMdd");
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss");
  private static final List<String> PROGRAMS =
      List.of(
          "-//Google Inc//Google Calendar 70.9054//EN",
          "-//Apple Inc.//macOS 14.4//EN",
          "-//Microsoft Corporation//Outlook 16.0 MIMEDIR//EN",
          "-//Mozilla.org/NONSGML Mozilla Calendar V1.1//EN",
          "-//example//office hours//EN");
  private static final List<String> TITLES =
      List.of(
          "Christmas Day",
          "F\u00eate nationale",
          "\ud83c\udf84\ud83c\udf81 No deployments",
          "\u65e7\u6b63\u6708",
          "Change freeze\\, all teams\\; see wiki\\nline 2",
          "x\u2028END:VEVENT\u2028BEGIN:VEVENT\u2028DTSTART;VALUE=DATE:20270401",
          "y\u0085END:VEVENT\u0085BEGIN:VEVENT\u0085DTSTART;VALUE=DATE:20270402",
          "\ud83d\ude00".repeat(70),
          "z".repeat(127) + "\ud83d\ude00\ud83d\ude00");

  private final Random random;
  private final StringBuilder text = new StringBuilder();
  private final List<long[]> covered = new ArrayList<>();
  private final List<String> leftOut = new ArrayList<>();
  private final Zone zone;
  private final ZoneId calendar;
  private final boolean isNamedInFile;
  private final boolean includesTransparent;
  private int events;

  CalendarFileBuilder(long seed) {
    random = new Random(seed);
    zone = Zone.values()[random.nextInt(Zone.values().length)];
    calendar = ZoneId.of(pick(List.of("Europe/London", "America/New_York", "Asia/Tokyo", "UTC")));
    isNamedInFile = random.nextBoolean();
    includesTransparent = random.nextInt(4) == 0;
  }

  /**
   * A file and its expected meaning.
   *
   * @param timeZone time zone given to the import
   * @param covered covered time in the tested year, in order and merged
   * @param leftOut title and end of the reason of each event without a span, in order
   */
  @SuppressWarnings(
      "ArrayRecordComponent") // a fold may lie within a character; nobody compares files
  record CalendarFile(
      byte[] bytes,
      Optional<String> timeZone,
      boolean includesTransparent,
      List<long[]> covered,
      List<String> leftOut) {
    @Override
    public String toString() {
      return new String(bytes, UTF_8);
    }
  }

  /** Time zone of timed events, named in the various forms of real files. */
  private enum Zone {
    TZ("Europe/Berlin", "Europe/Berlin", ""),
    PREFIXED("/x.example.org/20260101/Europe/Berlin", "Europe/Berlin", ""),
    WINDOWS("W. Europe Standard Time", "Europe/Berlin", ""),
    DISPLAYED("(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna", "Europe/Berlin", ""),
    DISPLAYED_EAST("(GMT-05:00) Eastern Time (US and Canada)", "America/New_York", ""),
    OUTLOOK(
        "Customized Time Zone",
        "Europe/Berlin",
        part("STANDARD", "16011028T030000", "+0200", "+0100", "FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10")
            + part(
                "DAYLIGHT",
                "16010325T020000",
                "+0100",
                "+0200",
                "FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3")),
    OUTLOOK_WEST(
        "Customized Time Zone 1",
        "America/Los_Angeles",
        part("STANDARD", "16011104T020000", "-0700", "-0800", "FREQ=YEARLY;BYDAY=1SU;BYMONTH=11")
            + part(
                "DAYLIGHT",
                "16010311T020000",
                "-0800",
                "-0700",
                "FREQ=YEARLY;BYDAY=2SU;BYMONTH=3")),
    DOT_NET(
        "custom",
        "Australia/Sydney",
        part("STANDARD", "00010101T030000", "+1100", "+1000", "FREQ=YEARLY;BYDAY=1SU;BYMONTH=4")
            + part(
                "DAYLIGHT",
                "00010101T020000",
                "+1000",
                "+1100",
                "FREQ=YEARLY;BYDAY=1SU;BYMONTH=10")),
    /** Has several rules, valid one after the other, as in exports of Apple and Google. */
    SEVERAL_RULES(
        "Office",
        "America/New_York",
        part(
                "DAYLIGHT",
                "19870405T020000",
                "-0500",
                "-0400",
                "FREQ=YEARLY;BYMONTH=4;BYDAY=1SU;UNTIL=20060402T070000Z")
            + part(
                "DAYLIGHT", "20070311T020000", "-0500", "-0400", "FREQ=YEARLY;BYMONTH=3;BYDAY=2SU")
            + part(
                "STANDARD",
                "19671029T020000",
                "-0400",
                "-0500",
                "FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;UNTIL=20061029T060000Z")
            + part(
                "STANDARD",
                "20071104T020000",
                "-0400",
                "-0500",
                "FREQ=YEARLY;BYMONTH=11;BYDAY=1SU")),
    FIXED("Werk", "+05:30", part("STANDARD", "19700101T000000", "+0530", "+0530", "")),
    LOCATED("Home", "Asia/Kolkata", ""),
    UTC("", "UTC", "");

    private final String name;
    private final ZoneId meant;
    private final String parts;

    Zone(String name, String meant, String parts) {
      this.name = name;
      this.meant = ZoneId.of(meant);
      this.parts = parts;
    }

    private static String part(String kind, String start, String from, String to, String rule) {
      return "BEGIN:"
          + kind
          + "\nDTSTART:"
          + start
          + (rule.isEmpty() ? "" : "\nRRULE:" + rule)
          + "\nTZOFFSETFROM:"
          + from
          + "\nTZOFFSETTO:"
          + to
          + "\nEND:"
          + kind
          + "\n";
    }
  }

  CalendarFile build() {
    line("BEGIN:VCALENDAR");
    line("PRODID:" + pick(PROGRAMS));
    line("VERSION:2.0");
    if (random.nextBoolean()) {
      line("METHOD:PUBLISH");
    }
    line("X-WR-CALNAME:Calendar of " + calendar);
    if (isNamedInFile) {
      line("X-WR-TIMEZONE:" + calendar);
    }
    defineZone();
    holiday();
    int more = 6 + random.nextInt(10);
    for (int i = 0; i < more; i++) {
      event(random.nextInt(22));
    }
    line("END:VCALENDAR");
    leftOut.sort(Comparator.naturalOrder());
    return new CalendarFile(
        written(),
        isNamedInFile ? Optional.empty() : Optional.of(calendar.getId()),
        includesTransparent,
        merged(covered),
        leftOut);
  }

  private void defineZone() {
    if (zone == Zone.LOCATED || !zone.parts.isEmpty()) {
      line("BEGIN:VTIMEZONE");
      line("TZID:" + zone.name);
      if (zone == Zone.LOCATED) {
        line("X-LIC-LOCATION:" + zone.meant);
        line("BEGIN:STANDARD");
        line("END:STANDARD");
      }
      text.append(zone.parts);
      line("END:VTIMEZONE");
    }
  }

  private void event(int kind) {
    switch (kind) {
      case 0, 1, 2, 3 -> holiday();
      case 4, 5 -> yearly();
      case 6, 7 -> timed();
      case 8, 9 -> weekly();
      case 10 -> transparent();
      case 11 -> cancelled();
      case 12 -> empty();
      case 13 -> longAgo();
      case 14 -> nowhere();
      case 15 -> instant();
      case 16 -> dates();
      case 17 -> task();
      case 18 -> floating();
      case 19 -> takenOut();
      case 20 -> maintenance();
      default -> ofDaysWithHours();
    }
  }

  /** Adds an event of one to three days, with or without an end, marked as free time or not. */
  private void holiday() {
    LocalDate day = day();
    int days = 1 + random.nextInt(3);
    String title = begin();
    start(day);
    switch (random.nextInt(3)) {
      case 0 -> line("DTEND;VALUE=DATE:" + DAY.format(day.plusDays(days)));
      case 1 ->
          line(days == 1 && random.nextBoolean() ? "DURATION:PT24H" : "DURATION:P" + days + "D");
      default -> days = 1;
    }
    transparency();
    end(title);
    cover(day, day.plusDays(days));
  }

  private void yearly() {
    LocalDate day = day();
    int year = random.nextBoolean() ? 1901 : 2019;
    boolean isLeapDay = day.getMonthValue() == 2 && day.getDayOfMonth() == 29;
    String title = begin();
    start((isLeapDay ? day.minusDays(1) : day).withYear(year));
    line("RRULE:FREQ=YEARLY");
    transparency();
    end(title);
    for (int at = 2026; at <= 2027; at++) {
      cover(day.withYear(at), day.withYear(at).plusDays(1));
    }
  }

  private void timed() {
    LocalDateTime begin = day().atTime(random.nextInt(24), 15 * random.nextInt(4));
    int minutes = 30 * (1 + random.nextInt(40));
    String title = begin();
    start(begin);
    if (random.nextBoolean()) {
      line("DTEND" + zoned(begin.atZone(zone.meant).plusMinutes(minutes).toLocalDateTime()));
    } else {
      line("DURATION:PT" + minutes + "M");
    }
    end(title);
    long second = begin.atZone(zone.meant).toEpochSecond();
    cover(second, second + 60L * minutes);
  }

  /** Adds a series with a removed date, a cancelled date and a moved date. */
  private void weekly() {
    LocalDateTime first = day().withYear(2026).withMonth(11).withDayOfMonth(9).atTime(9, 0);
    String title = begin();
    start(first);
    line("DURATION:PT2H");
    line("RRULE:FREQ=WEEKLY;COUNT=20");
    line("EXDATE" + zoned(first.plusWeeks(5)));
    end(title);
    String uid = uid();
    instance(uid, first.plusWeeks(6));
    start(first.plusWeeks(6));
    line("DURATION:PT2H");
    line("STATUS:CANCELLED");
    line("END:VEVENT");
    leftOut.add(uid + ": is cancelled (STATUS:CANCELLED)");
    instance(uid, first.plusWeeks(7));
    start(first.plusWeeks(7).plusHours(5));
    line("DURATION:PT1H");
    line("END:VEVENT");
    for (int i = 0; i < 20; i++) {
      long begin = first.plusWeeks(i).atZone(zone.meant).toEpochSecond();
      if (i == 7) {
        cover(begin + 5 * 3600, begin + 6 * 3600);
      } else if (i != 5 && i != 6) {
        cover(begin, begin + 2 * 3600);
      }
    }
  }

  private void instance(String uid, LocalDateTime at) {
    line("BEGIN:VEVENT");
    line("UID:" + uid);
    line("RECURRENCE-ID" + zoned(at));
  }

  private void transparent() {
    LocalDateTime begin = day().atTime(10, 0);
    String title = begin();
    start(begin);
    line("DURATION:PT1H");
    line("TRANSP:TRANSPARENT");
    end(title);
    if (includesTransparent) {
      long second = begin.atZone(zone.meant).toEpochSecond();
      cover(second, second + 3600);
    } else {
      leaveOut(title, "is timed and marked as free time");
    }
  }

  private void cancelled() {
    String title = begin();
    start(day());
    line("STATUS:CANCELLED");
    end(title);
    leaveOut(title, "is cancelled (STATUS:CANCELLED)");
  }

  private void empty() {
    String title = begin();
    line("DTSTART;VALUE=DATE:20231002");
    line("RRULE:FREQ=WEEKLY;UNTIL=20231001;BYDAY=MO");
    end(title);
    leaveOut(title, "never begins");
  }

  private void longAgo() {
    String title = begin();
    line(pick(List.of("DTSTART;VALUE=DATE:00000101", "DTSTART;VALUE=DATE:00010101")));
    end(title);
    leaveOut(title, "in the years 1970 to 9999");
  }

  private void nowhere() {
    String title = begin();
    line("DTSTART;TZID=Mars Standard Time:20270308T090000");
    line("DURATION:PT1H");
    end(title);
    leaveOut(title, "is no time zone known here");
  }

  private void instant() {
    String title = begin();
    start(day().atTime(10, 0));
    end(title);
    leaveOut(title, "takes up no time");
  }

  private void dates() {
    LocalDate day = LocalDate.of(2026, 12, 10).plusDays(random.nextInt(20));
    String title = begin();
    start(day);
    line("RDATE;VALUE=DATE:20270111,20270211");
    line("RDATE;VALUE=PERIOD:20270301T080000Z/PT4H,20270302T080000Z/20270302T100000Z");
    end(title);
    for (LocalDate at : List.of(day, LocalDate.of(2027, 1, 11), LocalDate.of(2027, 2, 11))) {
      cover(at, at.plusDays(1));
    }
    long first = Instant.parse("2027-03-01T08:00:00Z").getEpochSecond();
    cover(first, first + 4 * 3600);
    cover(first + 24 * 3600, first + 26 * 3600);
  }

  private void task() {
    line("BEGIN:VTODO");
    line("SUMMARY:a task");
    line("END:VTODO");
    leftOut.add("'VTODO': is no event");
  }

  private void floating() {
    LocalDateTime begin = day().atTime(17, 0);
    String title = begin();
    line("DTSTART:" + TIME.format(begin));
    line("DTEND:" + TIME.format(begin.plusHours(3)));
    end(title);
    cover(
        begin.atZone(calendar).toEpochSecond(),
        begin.plusHours(3).atZone(calendar).toEpochSecond());
  }

  private void takenOut() {
    LocalDate day = day();
    String title = begin();
    start(day);
    line("EXDATE;VALUE=DATE:" + DAY.format(day));
    end(title);
    leaveOut(title, "is taken out by its EXDATE");
  }

  /** Adds an event on each first Sunday of a month. */
  private void maintenance() {
    LocalDateTime first = LocalDate.of(2026, 2, 1).atTime(5, 0);
    String title = begin();
    start(first);
    line("DTEND" + zoned(first.plusHours(3)));
    line("RRULE:FREQ=MONTHLY;BYDAY=1SU");
    end(title);
    for (int month = 0; month < 24; month++) {
      LocalDateTime at =
          first.plusMonths(month).with(TemporalAdjusters.firstInMonth(DayOfWeek.SUNDAY));
      long begin = at.atZone(zone.meant).toEpochSecond();
      cover(begin, begin + Duration.ofHours(3).toSeconds());
    }
  }

  private void ofDaysWithHours() {
    LocalDate day = day();
    String title = begin();
    start(day);
    line("RRULE:FREQ=DAILY;BYHOUR=9;BYMINUTE=30;COUNT=3");
    end(title);
    cover(day, day.plusDays(3));
  }

  private LocalDate day() {
    return LocalDate.of(2026, 12, 10).plusDays(random.nextInt(330));
  }

  /** Begins an event and returns its title as displayed. */
  private String begin() {
    events++;
    line("BEGIN:VEVENT");
    line("UID:" + uid());
    line("DTSTAMP:20260614T130816Z");
    return events + " " + pick(TITLES);
  }

  private String uid() {
    return events + "_x@example.org";
  }

  private void end(String title) {
    line("SUMMARY:" + title);
    if (random.nextInt(3) == 0) {
      line("BEGIN:VALARM");
      line("TRIGGER:-PT15M");
      line("DURATION:PT1H");
      line("END:VALARM");
    }
    if (random.nextInt(4) == 0) {
      line("ATTENDEE;CN;ROLE=CHAIR:mailto:a@example.org");
      line("a description that was not folded");
    }
    line("END:VEVENT");
  }

  private void leaveOut(String title, String reason) {
    leftOut.add(shown(title) + ": " + reason);
  }

  private static String shown(String title) {
    String plain = title.replace("\\n", " ").replace("\\", "");
    int[] points = plain.codePoints().limit(128).toArray();
    return new String(points, 0, points.length);
  }

  private void transparency() {
    line(pick(List.of("TRANSP:TRANSPARENT", "TRANSP:OPAQUE", "X-MICROSOFT-CDO-BUSYSTATUS:FREE")));
  }

  private void start(LocalDate day) {
    line((random.nextInt(5) == 0 ? "DTSTART:" : "DTSTART;VALUE=DATE:") + DAY.format(day));
  }

  private void start(LocalDateTime time) {
    line("DTSTART" + zoned(time));
  }

  /** Returns a time in the zone of the file, to be written after the name of its property. */
  private String zoned(LocalDateTime time) {
    if (zone == Zone.UTC) {
      return ":" + TIME.format(time) + "Z";
    }
    boolean isQuoted = !zone.name.chars().allMatch(c -> Character.isLetter(c) || c == '/');
    return ";TZID=" + (isQuoted ? '"' + zone.name + '"' : zone.name) + ":" + TIME.format(time);
  }

  private void cover(LocalDate first, LocalDate end) {
    cover(first.atStartOfDay(calendar).toEpochSecond(), end.atStartOfDay(calendar).toEpochSecond());
  }

  private void cover(long first, long end) {
    long from = Math.max(first, FIRST);
    long to = Math.min(end, LAST);
    if (from < to) {
      covered.add(new long[] {from, to});
    }
  }

  private void line(String line) {
    text.append(line).append('\n');
  }

  private <T> T pick(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  /** Returns the text as bytes, with the line folds and line ends of a random program. */
  private byte[] written() {
    String end = random.nextInt(3) == 0 ? "\n" : "\r\n";
    int width = pick(List.of(75, 75, 60, 10_000));
    String fold = end + pick(List.of(" ", "\t"));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    if (random.nextInt(4) == 0) {
      out.writeBytes("\ufeff".getBytes(UTF_8));
    }
    for (String line : text.toString().split("\n", 0)) {
      byte[] bytes = line.getBytes(UTF_8);
      for (int at = 0; at < bytes.length; at += width) {
        out.writeBytes((at == 0 ? "" : fold).getBytes(UTF_8));
        out.write(bytes, at, Math.min(width, bytes.length - at));
      }
      out.writeBytes(end.getBytes(UTF_8));
    }
    if (random.nextBoolean()) {
      out.writeBytes((end + end).getBytes(UTF_8));
    }
    return out.toByteArray();
  }

  /** Returns the spans in order. Adjacent and overlapping spans are merged. */
  static List<long[]> merged(List<long[]> spans) {
    List<long[]> sorted = new ArrayList<>(spans);
    sorted.sort(Comparator.comparingLong(span -> span[0]));
    List<long[]> merged = new ArrayList<>();
    for (long[] span : sorted) {
      long[] last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
      if (last != null && span[0] <= last[1]) {
        last[1] = Math.max(last[1], span[1]);
      } else {
        merged.add(span.clone());
      }
    }
    return merged;
  }
}
