package carillon.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.cli.CarillonCommands.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Test of the command preview, which needs no node. */
class PreviewCommandTest {
  @TempDir Path dir;

  @Test
  void aScheduleOfOptionsIsPreviewed() {
    Run run =
        CarillonCommands.typeBare(
            ("preview --frequency month --monthdays -1 --hours 5,17 --start 2026-01-31T05:00:00Z"
                    + " --now 2026-01-01T00:00:00Z --limit 3")
                .split(" "));

    assertEquals(
        List.of(
            "NR  DAY  OCCURRENCE",
            "1   Sat  2026-01-31T05:00:00Z",
            "2   Sat  2026-01-31T17:00:00Z",
            "3   Sat  2026-02-28T05:00:00Z"),
        run.ok().lines());
  }

  @Test
  void anExpressionMayStandWithoutItsOption() {
    Run words = CarillonCommands.typeBare("explain", "0 9 31 * *", "--now=2027-01-01").ok();
    assertEquals(
        CarillonCommands.typeBare("explain", "--cron=0 9 31 * *", "--now=2027-01-01"), words);
    CarillonCommands.typeBare("preview", "@daily", "--limit=1").ok();
    Run file = CarillonCommands.typeBare("explain", "nowhere.json");
    assertEquals(2, file.code());
    file.assertErr("nowhere.json cannot be read");
    assertEquals(1, CarillonCommands.typeBare("explain", "0 9 32 * *").code());
  }

  @Test
  void aTimeZoneShowsLocalTimesAndWhatIsMoved() throws IOException {
    String job =
        "{\"timeZone\":\"America/New_York\",\"startTime\":\"2027-03-13T02:30\",\"dst\":"
            + "{\"gap\":\"boundary\"},\"recurrence\":{\"frequency\":\"day\"}}";
    String file = Files.writeString(dir.resolve("job.json"), job).toString();

    Run run = CarillonCommands.typeBare("preview", file, "--limit", "2");
    Run other =
        CarillonCommands.typeBare(
            "preview", file, "--timezone", "UTC", "--json", "--limit=1", "--now=2027-01-01");

    assertEquals(
        List.of(
            "NR  DAY  LOCAL TIME                 OCCURRENCE",
            "1   Sat  2027-03-13T02:30:00-05:00  2027-03-13T07:30:00Z",
            "2   Sun  2027-03-14T03:00:00-04:00  2027-03-14T07:00:00Z"),
        run.ok().lines());
    assertEquals(
        "carillon: 2027-03-14T02:30:00 does not exist, as the clocks go from 02:00 to 03:00;"
            + " it is 03:00 instead\n",
        run.err());
    assertEquals(
        List.of(
            "{\"number\":1,\"occurrence\":\"2027-03-13T02:30:00Z\","
                + "\"localTime\":\"2027-03-13T02:30:00Z\"}"),
        other.ok().lines());
  }

  @Test
  void theScheduleOfAJobIsPreviewedAndOptionsWin() throws IOException {
    String job =
        "{\"id\":\"x\",\"startTime\":\"2026-01-05T05:00:00Z\",\"action\":{},\"recurrence\":"
            + "{\"frequency\":\"week\",\"interval\":2,\"schedule\":{\"weekDays\":[\"monday\"]}}}";
    String file = Files.writeString(dir.resolve("job.json"), job).toString();

    Run run =
        CarillonCommands.typeBare(
            "preview",
            file,
            "--now",
            "2026-01-05T00:00:00Z",
            "--weekdays",
            "friday",
            "--json",
            "--limit=2");

    assertEquals(
        List.of(
            "{\"number\":1,\"occurrence\":\"2026-01-09T05:00:00Z\"}",
            "{\"number\":2,\"occurrence\":\"2026-01-23T05:00:00Z\"}"),
        run.ok().lines());
  }

  @Test
  void aScheduleThatTheApiRefusesIsRefused() throws IOException {
    Run run = CarillonCommands.typeBare("preview", "--frequency", "day", "--hours", "24");
    String empty = Files.writeString(dir.resolve("empty.json"), "{}").toString();
    String broken = Files.writeString(dir.resolve("broken.json"), "{").toString();

    assertEquals(1, run.code());
    assertTrue(run.err().startsWith("carillon: recurrence.schedule.hours"), run.err());
    assertEquals(2, CarillonCommands.typeBare("preview", empty).code());
    assertEquals(2, CarillonCommands.typeBare("preview", broken).code());
  }

  @Test
  void aCronExpressionIsPreviewedForItsJob() {
    Run run =
        CarillonCommands.typeBare(
            "preview",
            "--cron",
            "H(0-29) 9 * * MON-FRI",
            "--job",
            "orders/nightly",
            "--now",
            "2026-11-20T18:00:00Z",
            "--limit=1",
            "--json");

    assertTrue(run.ok().lines().get(0).contains("2026-11-23T09:"), run.out());
    assertTrue(
        CarillonCommands.typeBare("preview", "--cron", "H * * * *").err().contains("which job"));
  }
}
