package carillon.cli.transfer;

import carillon.cli.client.ApiClient;
import carillon.cli.client.ApiReply;
import carillon.cli.output.CommandException;
import carillon.cli.output.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;

/**
 * Importer of an export: PUTs its lines, many at a time. A line that creates can be sent any number
 * of times, because existing items are left alone. So an interrupted import can start again, and
 * finds its earlier results. If the node does not answer, or asks to wait, a line is sent again
 * until the time-out; then no further line is sent. Read by one thread; answers come on others.
 */
final class Importer {
  private static final int CREATED = 201;
  private static final int UNAUTHENTICATED = 401;
  private static final int PRECONDITION_FAILED = 412;
  private static final int MISDIRECTED = 421;
  private static final long MAX_PAUSE_MS = 5000;
  private static final String[] CREATE = {"If-None-Match", "*"};
  private static final String[] REPLACE = {};

  /** Maximum number of lines before the first that shows whether a file is a crontab. */
  private static final int MAX_PREFACE = 1000;

  /** Blank line, comment or variable of a crontab. */
  private static final Pattern PREFACE = Pattern.compile("\\s*(#|$|[A-Za-z_][A-Za-z0-9_]*\\s*=)");

  private static final Pattern CRONTAB_LINE =
      Pattern.compile("\\s*(@[a-z]+|[0-9*][0-9*/,~-]*(\\s+[0-9A-Za-z*/,~-]+){4})\\s+\\S");

  private static final String CRONTAB_ADVICE =
      "this is a crontab, see coming-from.md, section cron: its lines become jobs by 'carillon jobs"
          + " create'";

  private final ApiClient node;
  private final Options options;
  private final RefusalListener refusals;
  private final Counts tally = new Counts();
  private final LineCheckpoint reached;
  private final Semaphore room;
  private final AtomicReference<CommandException> end = new AtomicReference<>();

  /**
   * Collections that were refused. Their jobs would create them on first use, enabled and without
   * limits.
   */
  private final Set<String> refusedCollections = ConcurrentHashMap.newKeySet();

  /**
   * Options of an import.
   *
   * @param replaces whether existing items are replaced
   * @param inFlight maximum number of concurrent requests
   * @param patience time-out of a line
   * @param from the first line that counts, from 1
   */
  record Options(boolean replaces, int inFlight, Duration patience, long from) {}

  /** Listener to the lines that the node refuses. Called by several threads at a time. */
  interface RefusalListener {
    void refused(long number, String line, String reason);
  }

  /** A line that was sent and not answered yet. */
  private record Sent(long number, String text, ExportLine line, String body, long until) {}

  Importer(ApiClient node, Options options, RefusalListener refusals) {
    this.node = node;
    this.options = options;
    this.refusals = refusals;
    this.reached = new LineCheckpoint(options.from());
    this.room = new Semaphore(options.inFlight());
  }

  Counts tally() {
    return tally;
  }

  /** Returns the line up to which all lines are complete. */
  long reached() {
    return reached.line();
  }

  /**
   * Reads to the end, and waits for the last answer.
   *
   * @param each called with the number of lines read, after each
   * @throws CommandException when the node is away for too long or does not know who asks
   */
  void run(BufferedReader lines, LongConsumer each) throws IOException, InterruptedException {
    List<String> preface = new ArrayList<>();
    String text = lines.readLine();
    while (text != null && preface.size() < MAX_PREFACE && PREFACE.matcher(text).lookingAt()) {
      preface.add(text);
      text = lines.readLine();
    }
    if (text != null && CRONTAB_LINE.matcher(text).lookingAt()) {
      throw CommandException.refused(CRONTAB_ADVICE);
    }
    long number = 0;
    for (String line : preface) {
      take(++number, line, each);
    }
    while (text != null && end.get() == null) {
      take(++number, text, each);
      text = lines.readLine();
    }
    room.acquire(options.inFlight());
    if (end.get() != null) {
      throw end.get();
    }
  }

  private void take(long number, String text, LongConsumer each) throws InterruptedException {
    if (number >= options.from() && !text.isBlank()) {
      put(number, text);
      each.accept(number);
    }
  }

  private void put(long number, String text) throws InterruptedException {
    ExportLine line;
    try {
      line = ExportLine.parse(text);
    } catch (CommandException e) {
      refuse(number, text, e.getMessage());
      return;
    }
    if (line.kind() == ExportLine.Kind.COLLECTION && refusedCollections.contains(line.name())) {
      refuse(number, text, line.label() + ": its collection was refused");
      return;
    }
    room.acquire();
    reached.begin(number);
    String body = Json.compact(line.definition());
    long until = System.nanoTime() + options.patience().toNanos();
    send(new Sent(number, text, line, body, until), 1);
    if (line.job().isEmpty()) {
      // Waits for all lines sent so far: later jobs need this flow, calendar or collection.
      room.acquire(options.inFlight());
      room.release(options.inFlight());
    }
  }

  private void send(Sent sent, int attempt) {
    String[] headers = options.replaces() ? REPLACE : CREATE;
    byte[] body = sent.body().getBytes(StandardCharsets.UTF_8);
    try {
      node.begin(
          "PUT",
          sent.line().path(),
          body,
          (reply, failure) -> answered(sent, attempt, reply, failure),
          headers);
    } catch (IllegalArgumentException e) {
      refuse(sent.number(), sent.text(), e.getMessage());
      ended(sent);
    }
  }

  private void answered(Sent sent, int attempt, ApiReply reply, Throwable failure) {
    boolean isPassing = failure != null || reply.isPassing();
    if (isPassing && end.get() == null && System.nanoTime() < sent.until()) {
      long wait = failure == null ? reply.retryAfterSeconds() * 1000L : 0;
      long pause = Math.min(MAX_PAUSE_MS, Math.max(wait, 50L << Math.min(attempt, 7)));
      CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS)
          .execute(() -> send(sent, attempt + 1));
    } else if (isPassing) {
      end.compareAndSet(null, away(reply, failure)); // the line counts as not done
      room.release();
    } else if (reply.status() == UNAUTHENTICATED || reply.status() == MISDIRECTED) {
      end.compareAndSet(null, CommandException.refused(reply.refusal()));
      room.release();
    } else {
      count(sent, reply);
      ended(sent);
    }
  }

  private CommandException away(ApiReply reply, Throwable failure) {
    if (failure == null) {
      return CommandException.unreachable(reply.refusal());
    }
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    return cause instanceof IOException io
        ? node.unreachable(io)
        : CommandException.unreachable(String.valueOf(cause.getMessage()));
  }

  private void count(Sent sent, ApiReply reply) {
    if (reply.status() == CREATED) {
      tally.created.increment();
    } else if (reply.isSuccess()) {
      tally.replaced.increment();
    } else if (reply.status() == PRECONDITION_FAILED && !options.replaces()) {
      tally.existing.increment();
    } else {
      ExportLine line = sent.line();
      if (line.kind() == ExportLine.Kind.COLLECTION && line.job().isEmpty()) {
        refusedCollections.add(line.name());
      }
      refuse(sent.number(), sent.text(), line.label() + ": " + reply.refusal());
    }
  }

  private void refuse(long number, String text, String reason) {
    tally.refused.increment();
    refusals.refused(number, text, reason);
  }

  private void ended(Sent sent) {
    reached.end(sent.number());
    room.release();
  }

  /** Counters of the outcomes of lines. Thread-safe. */
  static final class Counts {
    final LongAdder created = new LongAdder();
    final LongAdder replaced = new LongAdder();
    final LongAdder existing = new LongAdder();
    final LongAdder refused = new LongAdder();

    long all() {
      return created.sum() + replaced.sum() + existing.sum() + refused.sum();
    }
  }

  /** Line up to which all lines are complete, even if lines end in any order. Thread-safe. */
  static final class LineCheckpoint {
    private final TreeSet<Long> underWay = new TreeSet<>();
    private long last;

    /** A checkpoint for which the lines before this one are done. */
    LineCheckpoint(long first) {
      last = first - 1;
    }

    /** Notes the begin of a line. Lines begin in their order. */
    synchronized void begin(long line) {
      underWay.add(line);
      last = line;
    }

    synchronized void end(long line) {
      underWay.remove(line);
    }

    /** The last line before which none is underWay. */
    synchronized long line() {
      return underWay.isEmpty() ? last : underWay.first() - 1;
    }
  }
}
