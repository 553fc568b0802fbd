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
 * Everything that was seen of one scenario, from outside. All of it happens on one machine and so
 * goes by one clock. Thread-safe.
 */
final class Journal {
  /** The place of a fault that is not one node's. */
  static final String REDIS = "redis";

  /** The place of what this machine itself is to blame for. */
  static final String MACHINE = "machine";

  private final Queue<Change> changes = new ConcurrentLinkedQueue<>();
  private final Queue<Toggle> toggles = new ConcurrentLinkedQueue<>();
  private final Queue<Call> calls = new ConcurrentLinkedQueue<>();
  private final AtomicInteger callCount = new AtomicInteger();
  private final Queue<Open> faults = new ConcurrentLinkedQueue<>();
  private final Queue<Entry> entries = new ConcurrentLinkedQueue<>();

  /** How the API answered. */
  enum Answer {
    /** 2xx. */
    ACCEPTED,
    /** 4xx, or no node could be connected to: it must not take effect. */
    REFUSED,
    /** 503, another 5xx, or no answer: it may have taken effect. */
    UNKNOWN
  }

  /**
   * A client's request.
   *
   * @param plan what the job is to do from then on; of a run, its plan is not changed
   * @param isRun true for a run outside the schedule
   */
  record Change(
      String job, Plan plan, boolean isRun, Instant sent, Instant answered, Answer answer) {}

  /**
   * A call as the target saw it.
   *
   * @param execution header Idempotency-Key
   * @param nominal header Carillon-Scheduled-At
   * @param node header Carillon-Region, which names the node
   * @param answered when the answer was sent, empty for none
   * @param status what was answered
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
   * Something was broken.
   *
   * @param place a node's name, {@link #REDIS} or {@link #MACHINE}
   * @param silent from when on no call was made there until it was whole again: a node that is dead
   *     makes none, one that is cut off from Redis goes on for a while
   * @param until when it was whole again
   * @param repeats whether calls that were in flight there may be made again
   */
  record Fault(
      String what, String place, Instant from, Instant silent, Instant until, boolean repeats) {}

  /**
   * A client's request that all jobs of a collection are to rest, or to go on.
   *
   * @param closes true for disable, false for enable
   */
  record Toggle(String collection, boolean closes, Instant sent, Instant answered, Answer answer) {}

  /** A record of the product's history. */
  record Entry(
      String job, String execution, Instant nominal, String status, int retry, String message) {}

  /**
   * All that was seen.
   *
   * @param readAt when the last of it was read
   */
  record Snapshot(
      List<Change> changes,
      List<Toggle> toggles,
      List<Call> calls,
      List<Fault> faults,
      List<Entry> entries,
      Instant readAt) {}

  /** A fault that may not be over. */
  static final class Open {
    private final Fault begun;
    private volatile Instant silent = Instant.MAX;
    private volatile Instant end = Instant.MAX;

    private Open(Fault begun) {
      this.begun = begun;
    }

    /** It makes no calls from now on, until it is whole again. */
    void silent() {
      silent = Instant.now();
    }

    /** It is whole again. */
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

  /** A fault that is over. */
  void add(Fault fault) {
    Open open = new Open(fault);
    open.silent = fault.silent;
    open.end = fault.until;
    faults.add(open);
  }

  /** A fault begins now. */
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

  /** Everything up to now. */
  Snapshot read() {
    return new Snapshot(
        List.copyOf(changes),
        List.copyOf(toggles),
        List.copyOf(calls),
        new ArrayList<>(faults).stream().map(Open::fault).toList(),
        List.copyOf(entries),
        Instant.now());
  }

  /** Writes each kind into a file of its own, one JSON object on a line. */
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
