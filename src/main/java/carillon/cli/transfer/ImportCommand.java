package carillon.cli.transfer;

import carillon.cli.client.GroupOptions;
import carillon.cli.client.InputFile;
import carillon.cli.client.IoErrorText;
import carillon.cli.output.CommandException;
import carillon.cli.output.Json;
import carillon.cli.output.Output;
import carillon.cli.output.TextTable;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.function.IntSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command {@code import}: puts the lines of an export. */
@Command(
    name = "import",
    description = {
      "Imports the flows, calendars, collections and jobs of an export.",
      "Existing items are kept, so the same file can be imported again, also after an"
          + " interruption; --replace replaces them. A job without startTime runs immediately:"
          + " export with --carry-on to move recurring jobs. Items that were disabled until an"
          + " instant stay disabled until somebody enables them."
    },
    footer = {
      "  carillon import jobs.ndjson",
      "  carillon import jobs.ndjson --rejected rejected.ndjson   # edit that file and import it"
    })
public final class ImportCommand implements Runnable {
  private static final int MAX_SHOWN = 20;
  private static final int MAX_IN_FLIGHT = 1000;
  private static final int HUNDRED = 100;

  @Mixin private GroupOptions options;
  @Mixin private Output output;
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The file that export wrote; -: standard input.")
  private String file;

  @Option(
      names = "--replace",
      description = "Replaces existing items that differ; their counters begin again.")
  private boolean replace;

  @Option(
      names = "--from-line",
      paramLabel = "N",
      defaultValue = "1",
      description = "First line to import; an interrupted import prints it. Default: 1.")
  private long fromLine;

  @Option(
      names = "--concurrency",
      paramLabel = "N",
      defaultValue = "64",
      description = "Concurrent requests, 1 to 1000. Default: 64.")
  private int concurrency;

  @Option(
      names = "--patience",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "How long a line is repeated while the node is away. Default: 60.")
  private int patience;

  @Option(
      names = "--rejected",
      paramLabel = "FILE",
      description = "File for refused lines; -: standard output.")
  private Path rejected;

  private Progress progress;
  private PrintWriter rejectedLines;
  private int refused;

  @Override
  public void run() {
    if (concurrency < 1 || concurrency > MAX_IN_FLIGHT || fromLine < 1 || patience < 0) {
      throw CommandException.usage(
          "--concurrency must be 1 to 1000, --from-line 1 or more, --patience 0 or more");
    }
    Importer importer =
        new Importer(
            options.node(),
            new Importer.Options(replace, concurrency, Duration.ofSeconds(patience), fromLine),
            this::refused);
    progress = new Progress(spec.commandLine().getErr(), System::nanoTime);
    Thread cutOff = new Thread(() -> sayWhere(importer), "cut off");
    Runtime.getRuntime().addShutdownHook(cutOff);
    try {
      read(importer);
    } finally {
      Runtime.getRuntime().removeShutdownHook(cutOff);
      closeRejected();
    }
    summarize(importer.tally());
  }

  private void read(Importer importer) {
    InputFile input = new InputFile(file);
    try (InputStream in = input.open();
        CountingInputStream counted = new CountingInputStream(in);
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(counted, StandardCharsets.UTF_8.newDecoder()))) {
      long size = input.isStandard() ? 0 : Files.size(Path.of(file));
      run(importer, lines, () -> percent(counted, size));
    } catch (IOException e) {
      throw input.unreadable(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandException.refused("interrupted");
    }
  }

  private void run(Importer importer, BufferedReader lines, IntSupplier percent)
      throws IOException, InterruptedException {
    try {
      importer.run(lines, read -> progress.at(importer.tally().all(), "lines", percent.getAsInt()));
    } catch (CommandException e) {
      sayWhere(importer);
      throw e;
    }
  }

  private static int percent(CountingInputStream counted, long size) {
    return size == 0 ? -1 : (int) (counted.count() * HUNDRED / size);
  }

  private void sayWhere(Importer importer) {
    output.note(
        String.format(
            Locale.ROOT,
            "interrupted; lines up to %d are done: continue with --from-line %d",
            importer.reached(),
            importer.reached() + 1));
  }

  private synchronized void refused(long number, String line, String reason) {
    refused++;
    if (refused <= MAX_SHOWN) {
      output.note("carillon: line " + number + ": " + reason);
    } else if (refused == MAX_SHOWN + 1) {
      output.note("carillon: more lines are refused; they are only counted");
    }
    if (rejected != null) {
      writeRejected(line);
    }
  }

  private void writeRejected(String line) {
    try {
      if (rejectedLines == null) {
        rejectedLines =
            isToStandardOutput()
                ? spec.commandLine().getOut()
                : new PrintWriter(Files.newBufferedWriter(rejected, StandardCharsets.UTF_8), true);
      }
      rejectedLines.println(line);
    } catch (IOException e) {
      output.note("carillon: --rejected " + rejected + " cannot be written: " + IoErrorText.of(e));
      rejected = null;
    }
  }

  private synchronized void closeRejected() {
    if (rejectedLines == null) {
      return;
    }
    if (isToStandardOutput()) {
      rejectedLines.flush();
    } else {
      rejectedLines.close();
    }
  }

  private boolean isToStandardOutput() {
    return rejected.toString().equals(InputFile.STANDARD);
  }

  private void summarize(Importer.Counts tally) {
    long all = tally.all();
    ObjectNode summary =
        Json.MAPPER
            .createObjectNode()
            .put("created", tally.created.sum())
            .put("replaced", tally.replaced.sum())
            .put("existing", tally.existing.sum())
            .put("refused", tally.refused.sum())
            .put("seconds", progress.seconds());
    if (!output.document(summary, file)) {
      output.line(
          String.format(
              Locale.ROOT,
              "imported %s in %.1f s (%s): %,d created, %,d replaced, %,d there already, %,d refused",
              TextTable.counted(all, "line"),
              progress.seconds(),
              progress.rate(all),
              tally.created.sum(),
              tally.replaced.sum(),
              tally.existing.sum(),
              tally.refused.sum()));
    }
    if (tally.refused.sum() > 0) {
      throw CommandException.refused(TextTable.counted(tally.refused.sum(), "line") + " refused");
    }
  }

  /** Counts the bytes read of a file, for a percentage. */
  private static final class CountingInputStream extends FilterInputStream {
    private long count;

    CountingInputStream(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      count += read < 0 ? 0 : 1;
      return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int read = super.read(bytes, offset, length);
      count += Math.max(0, read);
      return read;
    }

    /** Bytes read so far. */
    long count() {
      return count;
    }
  }
}
