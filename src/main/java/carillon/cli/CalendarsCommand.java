package carillon.cli;

import carillon.cli.client.ApiReply;
import carillon.cli.client.GroupOptions;
import carillon.cli.client.InputFile;
import carillon.cli.client.QueryString;
import carillon.cli.output.CommandException;
import carillon.cli.output.Json;
import carillon.cli.output.TextTable;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command {@code calendars}: shows calendars and changes them. */
@Command(
    name = "calendars",
    description = {
      "Shows and changes calendars: times at which jobs that name them do not run, or only run"
          + " then.",
      "The group is default, unless --subscription and --group name another."
    },
    synopsisSubcommandLabel = "COMMAND",
    footerHeading = "%nExamples:%n",
    footer = {
      "  carillon calendars list",
      "  carillon calendars put holidays-de holidays.ics",
      "  echo '{\"spans\": [{\"weekDays\": [\"saturday\", \"sunday\"]}]}' | carillon calendars put"
          + " weekends",
      "  carillon jobs create report --get https://example.org/report --every 1d --exclude"
          + " holidays-de"
    },
    subcommands = {
      CalendarsCommand.ListCalendars.class,
      CalendarsCommand.Get.class,
      CalendarsCommand.Put.class,
      CalendarsCommand.Delete.class
    })
public final class CalendarsCommand {
  private static final String PATH = "/calendars";
  private static final int NAMED_BY_JOBS = 409;

  @Mixin
  @SuppressWarnings("UnusedVariable") // its commands look for them here
  private GroupOptions options;

  /** Lists calendars. */
  @Command(
      name = "list",
      description = "Lists calendars by name, without their spans.",
      footer = "  carillon calendars list")
  static final class ListCalendars extends ListCommand.OfGroup {
    ListCalendars() {
      super("calendar", "spans", "time zone");
    }

    @Override
    protected String path() {
      return PATH;
    }

    @Override
    protected List<String> row(JsonNode calendar) {
      return List.of(
          calendar.path("name").asText(),
          calendar.path("spanCount").asText(),
          calendar.path("timeZone").asText("UTC"));
    }
  }

  /** Command about one calendar. */
  abstract static class OfCalendar extends ResourceCommand {
    @Parameters(index = "0", paramLabel = "CALENDAR", description = "The calendar.")
    private String calendar;

    private OfCalendar() {
      super("calendar", PATH);
    }

    @Override
    final String name() {
      return calendar;
    }
  }

  /** Shows a calendar. */
  @Command(
      name = "get",
      aliases = "show",
      description = "Shows a calendar with its spans.",
      footer = {
        "  carillon calendars get holidays-de",
        "  carillon calendars get holidays-de --json | carillon calendars put holidays-at"
      })
  static final class Get extends OfCalendar {
    @Override
    public void run() {
      JsonNode document = ask("GET", "").json();
      if (output().document(document, name())) {
        return;
      }
      output().line("time zone  " + document.path("timeZone").asText("UTC"));
      output().columns("span", "lasts", "name");
      document.path("spans").forEach(this::show);
      output().end();
    }

    private void show(JsonNode span) {
      output()
          .row(
              span,
              List.of(begin(span), span.path("lasts").asText("-"), span.path("name").asText("")));
    }

    private static String begin(JsonNode span) {
      for (String field : List.of("date", "weekDays")) {
        if (span.has(field)) {
          return words(span.path(field));
        }
      }
      return span.has("from")
          ? span.path("from").asText() + " to " + span.path("to").asText()
          : span.has("cron") ? "cron " + span.path("cron").asText() : words(span.path("rrule"));
    }

    private static String words(JsonNode field) {
      return field.isArray() ? Json.joined(field, ", ") : field.asText();
    }
  }

  /** Creates or replaces a calendar. */
  @Command(
      name = "put",
      description = {
        "Creates a calendar, or replaces its spans; jobs that name it get new next occurrences.",
        "The document is in the form of the API, as get -o json or -o yaml prints it, or an"
            + " iCalendar file (.ics)."
      },
      footer = {
        "  carillon calendars put holidays-de holidays.ics",
        "  carillon calendars put meetings office.ics --include-transparent",
        "  carillon calendars put freeze freeze.json",
        "  curl -s https://example.org/holidays.ics | carillon calendars put holidays-de"
      })
  static final class Put extends OfCalendar {
    private static final String ICALENDAR = "BEGIN:VCALENDAR";
    private static final byte[] MARK = "\ufeff".getBytes(StandardCharsets.UTF_8);
    private static final int ENOUGH = 64;

    @Parameters(
        index = "1",
        arity = "0..1",
        paramLabel = "FILE",
        defaultValue = InputFile.STANDARD,
        description = "The document. Default, and -: standard input.")
    private String file;

    @Option(
        names = {"--tz", "--timezone"},
        paramLabel = "ZONE",
        description =
            "The time zone of an iCalendar file: Europe/Berlin. Default: its own, or UTC.")
    private String zone;

    @Option(
        names = "--include-transparent",
        description =
            "In an iCalendar file, also use timed events that are marked as free time. All-day"
                + " events are always used.")
    private boolean includesTransparent;

    @Override
    public void run() {
      ApiReply reply = put(new InputFile(file).readDocument());
      JsonNode put = reply.orFail().json();
      said(
          reply.written(),
          ", "
              + TextTable.counted(put.path("spans").size(), "span")
              + ", "
              + put.path("timeZone").asText("UTC"));
      int leftOut = put.path("leftOut").asInt();
      if (leftOut > 0) {
        output().note("carillon: " + leftOut + " left out:");
        JsonNode events = put.path("leftOutEvents");
        events.forEach(
            one ->
                output()
                    .note("  " + one.path("event").asText() + ": " + one.path("reason").asText()));
        if (leftOut > events.size()) {
          output().note("  and " + (leftOut - events.size()) + " more");
        }
      }
    }

    private ApiReply put(byte[] document) {
      if (isICalendar(document)) {
        String query =
            new QueryString()
                .with("timeZone", zone)
                .with("includeTransparent", includesTransparent ? "true" : null)
                .toString();
        return reply("PUT", query, withoutMark(document), "Content-Type", "text/calendar");
      }
      if (zone != null) {
        throw CommandException.usage("--tz is for iCalendar files; a document has its timeZone");
      }
      if (includesTransparent) {
        throw CommandException.usage("--include-transparent is for iCalendar files");
      }
      return reply("PUT", "", named(document));
    }

    /**
     * Whether a document is iCalendar, by the name of its file or by its beginning, as standard
     * input has no name.
     */
    private boolean isICalendar(byte[] document) {
      String begin =
          new String(document, 0, Math.min(document.length, ENOUGH), StandardCharsets.UTF_8)
              .replace("\ufeff", "")
              .strip()
              .toUpperCase(Locale.ROOT);
      return file.toLowerCase(Locale.ROOT).endsWith(".ics") || begin.startsWith(ICALENDAR);
    }

    /**
     * Returns the document without its byte order mark, which some calendars write at the beginning
     * of a file.
     */
    private static byte[] withoutMark(byte[] document) {
      boolean isMarked =
          document.length >= MARK.length
              && Arrays.equals(document, 0, MARK.length, MARK, 0, MARK.length);
      return isMarked ? Arrays.copyOfRange(document, MARK.length, document.length) : document;
    }

    /** The document without the name of the calendar that it is a copy of. */
    private static byte[] named(byte[] document) {
      try {
        if (Json.MAPPER.readTree(document) instanceof ObjectNode read && read.has("name")) {
          read.remove("name");
          return Json.MAPPER.writeValueAsBytes(read);
        }
      } catch (IOException e) {
        // the node says what is wrong, and where
      }
      return document;
    }
  }

  /** Deletes a calendar. */
  @Command(
      name = "delete",
      description = "Deletes a calendar. If jobs name it, --force is needed.",
      footer = {"  carillon calendars delete freeze", "  carillon calendars delete freeze --force"})
  static final class Delete extends OfCalendar {
    @Option(
        names = "--force",
        description = "Deletes it even if jobs name it; they then run without it.")
    private boolean force;

    @Override
    public void run() {
      ApiReply reply = reply("DELETE", force ? "?force=true" : "", new byte[0]);
      if (reply.status() == NAMED_BY_JOBS && !force) {
        throw CommandException.refused(reply.refusal() + "; --force deletes it anyway");
      }
      saidDeleted(reply.orFail());
    }
  }
}
