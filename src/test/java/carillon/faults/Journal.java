package carillon.faults;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Everything that was observed of one scenario from outside. All observations are made on one
 * machine and so with one clock. Thread-safe.
 */
final class Journal {
  /** Place of a fault that belongs to no single node. */
  static final String REDIS = "redis";

  /** Place of a fault that this machine itself causes. */
  static final String MACHINE = "machine";

  private final Queue<Change> changes = new ConcurrentLinkedQueue<>();
  private final Queue<Toggle> toggles = new ConcurrentLinkedQueue<>();
  private final Queue<Call> calls = new ConcurrentLinkedQueue<>();
  private final AtomicInteger callCount = new AtomicInteger();
  private final Queue<Open> faults = new ConcurrentLinkedQueue<>();
  private final Queue<Entry> entries = new ConcurrentLinkedQueue<>();

  /** Kind of an answer of the API. */
  enum Answer {
    /** 2xx. */
    ACCEPTED,
    /** 4xx, or no node accepted a connection: the request must not take effect. */
    REFUSED,
    /** 503, another 5xx, or no answer: the request may have taken effect. */
    UNKNOWN
  }

  /**
   * Request of a client.
   *
   * @param plan when the job is due from then on; for a run, the unchanged plan
   * @param isRun true for a run outside the schedule
   */
  record Change(
      String job, Plan plan, boolean isRun, Instant sent, Instant answered, Answer answer) {}

  /**
   * Call as the target saw it.
   *
   * @param execution header Idempotency-Key
   * @param nominal header Carillon-Scheduled-At
   * @param node header Carillon-Region, which names the node
   * @param answered when the answer was sent, empty for none
   * @param status status of the answer
   */
  record Call(
      String job,
      String execution,
      Instant nominal,
      Instant arrived,
      String node,
      Optional<Instant> answered,
      int status) {}

  /**
   * Fault of a node, of Redis or of this machine.
   *
   * @param place a node's name, {@link #REDIS} or {@link #MACHINE}
   * @param silent from when on no calls were made there until the recovery: a dead node makes none,
   *     a node that is cut off from Redis continues for a while
   * @param until when the place had recovered
   * @param repeats whether calls that were in flight there may be made again
   */
  record Fault(
      String what, String place, Instant from, Instant silent, Instant until, boolean repeats) {}

  /**
   * Request of a client to disable or enable a collection.
   *
   * @param closes true for disable, false for enable
   */
  record Toggle(String collection, boolean closes, Instant sent, Instant answered, Answer answer) {}

  /** Entry of the product's history. */
  record Entry(
      String job, String execution, Instant nominal, String status, int retry, String message) {}

  /**
   * All observations.
   *
   * @param readAt when the last of them was read
   */
  record Snapshot(
      List<Change> changes,
      List<Toggle> toggles,
      List<Call> calls,
      List<Fault> faults,
      List<Entry> entries,
      Instant readAt) {}

  /** Fault that may not be over. */
  static final class Open {
    private final Fault begun;
    private volatile Instant silent = Instant.MAX;
    private volatile Instant end = Instant.MAX;

    private Open(Fault begun) {
      this.begun = begun;
    }

    /** Notes that the place makes no calls from now on, until it recovers. */
    void silent() {
      silent = Instant.now();
    }

    /** Notes that the place has recovered. */
    void over() {
      end = Instant.now();
    }

    private Fault fault() {
      Instant last = silent.isBefore(end) ? silent : end;
      return new Fault(begun.what, begun.place, begun.from, last, end, begun.repeats);
    }
  }

  void add(Change change) {
    changes.add(change);
  }

  void add(Toggle toggle) {
    toggles.add(toggle);
  }

  void add(Call call) {
    calls.add(call);
    callCount.incrementAndGet();
  }

  void add(Entry entry) {
    entries.add(entry);
  }

  /** Adds a fault that is over. */
  void add(Fault fault) {
    Open open = new Open(fault);
    open.silent = fault.silent;
    open.end = fault.until;
    faults.add(open);
  }

  /** Adds a fault that begins now. */
  Open begin(String what, String place, boolean repeats) {
    Open open = new Open(new Fault(what, place, Instant.now(), Instant.MAX, Instant.MAX, repeats));
    faults.add(open);
    return open;
  }

  Collection<Change> changes() {
    return changes;
  }

  int callCount() {
    return callCount.get();
  }

  Collection<Call> calls() {
    return calls;
  }

  /** Returns all observations up to now. */
  Snapshot read() {
    return new Snapshot(
        List.copyOf(changes),
        List.copyOf(toggles),
        List.copyOf(calls),
        new ArrayList<>(faults).stream().map(Open::fault).toList(),
        List.copyOf(entries),
        Instant.now());
  }

  /** Writes each kind into a separate file, one JSON object per line. */
  static void write(Snapshot seen, Path dir) {
    write(dir.resolve("changes.jsonl"), seen.changes);
    write(dir.resolve("toggles.jsonl"), seen.toggles);
    write(dir.resolve("calls.jsonl"), seen.calls);
    write(dir.resolve("faults.jsonl"), seen.faults);
    write(dir.resolve("history.jsonl"), seen.entries);
  }

  private static void write(Path file, List<?> lines) {
    ObjectMapper mapper =
        new ObjectMapper()
            .registerModule(
                new SimpleModule()
                    .addSerializer(Instant.class, ToStringSerializer.instance)
                    .addSerializer(Duration.class, ToStringSerializer.instance)
                    .addSerializer(Optional.class, ToStringSerializer.instance));
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (Object line : lines) {
        out.write(mapper.writeValueAsString(line));
        out.newLine();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
