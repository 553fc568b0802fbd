package carillon.cli.local;

import carillon.cli.output.TextTable;
import carillon.fsck.Finding;
import carillon.fsck.FsckReport;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Printer of findings: one line for each, as soon as it is certain, and a summary. */
abstract class FsckPrinter {
  private static final double NANOS = 1e9;

  /** Prints a finding and its outcome. */
  abstract void finding(Finding finding, Finding.Outcome outcome);

  /** Prints the summary at the end. */
  abstract void summary(FsckReport report, Duration time);

  private static double seconds(Duration time) {
    return Math.round(time.toNanos() / NANOS * 1000) / 1000.0;
  }

  private static String word(Finding.Outcome outcome) {
    return outcome.name().toLowerCase(Locale.ROOT);
  }

  /** Returns a printer for people. */
  static FsckPrinter text(PrintStream out) {
    return new FsckPrinter() {
      @Override
      void finding(Finding finding, Finding.Outcome outcome) {
        out.printf(
            "%s %s %s: expected %s, found %s%n",
            word(outcome),
            finding.kind().word(),
            finding.key(),
            finding.expected(),
            finding.found());
      }

      @Override
      void summary(FsckReport report, Duration time) {
        String kinds =
            report.found().entrySet().stream()
                .map(kind -> kind.getValue() + " " + kind.getKey().word())
                .collect(Collectors.joining(", "));
        out.printf(
            Locale.ROOT,
            "checked %s, %s in %.1f s: %s%n",
            TextTable.counted(report.jobs(), "job"),
            TextTable.counted(report.keys(), "key"),
            seconds(time),
            kinds.isEmpty()
                ? "nothing found"
                : kinds + "; " + report.repaired() + " repaired, " + report.left() + " left");
      }
    };
  }

  /** Returns a printer for programs. */
  static FsckPrinter json(PrintStream out) {
    return new FsckPrinter() {
      @Override
      void finding(Finding finding, Finding.Outcome outcome) {
        out.println(
            object(
                json -> {
                  json.writeStringField("outcome", word(outcome));
                  json.writeStringField("kind", finding.kind().word());
                  json.writeStringField("key", finding.key());
                  json.writeStringField("expected", finding.expected());
                  json.writeStringField("found", finding.found());
                }));
      }

      @Override
      void summary(FsckReport report, Duration time) {
        out.println(
            object(
                json -> {
                  json.writeNumberField("jobs", report.jobs());
                  json.writeNumberField("keys", report.keys());
                  json.writeNumberField("seconds", seconds(time));
                  json.writeNumberField("repaired", report.repaired());
                  json.writeNumberField("left", report.left());
                  json.writeObjectFieldStart("found");
                  for (Map.Entry<carillon.fsck.FindingKind, Integer> kind :
                      report.found().entrySet()) {
                    json.writeNumberField(kind.getKey().word(), kind.getValue());
                  }
                  json.writeEndObject();
                }));
      }
    };
  }

  /** Fills an object. */
  private interface ObjectContent {
    void writeTo(JsonGenerator json) throws IOException;
  }

  private static String object(ObjectContent content) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      content.writeTo(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }
}
