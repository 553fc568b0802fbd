package carillon.life;

import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;
import carillon.json.StoredJson;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * Books of all jobs, and the state of their collection. Receives the events in the order in which
 * they happened, and finds violations. Knows no node, no connection and no thread: its lock is for
 * the callers.
 */
final class Model {
  private static final Duration LEFT = Duration.ofMinutes(30);

  /** Jobs that had each name, by name, the newest last. */
  private final Map<String, List<Book>> books = new HashMap<>();

  /** Executions by name, also while no job has the name. */
  private final Map<String, Executions> executions = new HashMap<>();

  private FlowBook flows;
  private final BiPredicate<String, Instant> isLiving;

  private final Map<String, String> owners = new HashMap<>();
  private final List<String> tape = new ArrayList<>();
  private Instant from = Instant.MIN;
  private boolean closed;
  private ViolationException violation;
  private final Set<Rule> ignored;

  /**
   * Creates a model that knows nothing yet.
   *
   * @param ignored rules that are not checked
   * @param isLiving whether a node has been well since an instant, or longer
   */
  Model(Set<Rule> ignored, BiPredicate<String, Instant> isLiving) {
    this.isLiving = isLiving;
    flows = new FlowBook(isLiving, Instant.EPOCH);
    this.ignored = ignored;
  }

  /** A walk begins. Instants that were due long before belong to an earlier walk. */
  synchronized void begin(Instant instant) {
    from = instant.minus(LEFT);
    books.clear();
    executions.clear();
    flows = new FlowBook(isLiving, instant);
    owners.clear();
    tape.clear();
    closed = false;
    violation = null;
  }

  /** Records an event for the log of the walk. */
  synchronized void note(String what) {
    tape.add(what);
  }

  /** Returns the last events, in order. */
  synchronized String tape(int lines) {
    return String.join("\n", tape.subList(Math.max(0, tape.size() - lines), tape.size()));
  }

  /** Fails with the first violation that was found, if any was. */
  synchronized void check() {
    if (violation != null) {
      throw violation;
    }
  }

  synchronized void found(ViolationException another) {
    if (violation == null && !ignored.contains(another.rule())) {
      violation = another;
    }
  }

  /** Returns the existing job of this name. */
  synchronized Optional<Book> book(String job) {
    return all(job).stream().filter(book -> !book.isDeleted()).findFirst();
  }

  private List<Book> all(String job) {
    return books.computeIfAbsent(job, first -> new ArrayList<>());
  }

  /** Returns the job of a run: the newest that is not younger than the run. */
  private Optional<Book> bookOf(Attempt attempt) {
    return all(attempt.job()).stream()
        .filter(book -> book.eras().get(0).revision() <= attempt.revision())
        .reduce((older, newer) -> newer);
  }

  synchronized void written(
      String job, Plan plan, boolean enabled, boolean replaces, long revision, Instant at) {
    if (book(job).isEmpty()) {
      all(job).add(new Book(job));
    }
    book(job).orElseThrow().write(plan, enabled, replaces, revision, at);
  }

  /** A node disabled a job. */
  synchronized void paused(String job, String node) {
    book(job).ifPresent(book -> book.checkPause(node));
  }

  /** Returns the complaint about a job that a node should have disabled by now. */
  synchronized Optional<String> overdue(String job, BiPredicate<String, Instant> isLiving) {
    return book(job).flatMap(book -> book.overdue(isLiving));
  }

  synchronized void deleted(String job) {
    book(job).ifPresent(Book::delete);
  }

  /** An execution began at this instant, as its record says. */
  synchronized void started(Attempt attempt, Instant start) {
    bookOf(attempt).ifPresent(book -> book.start(attempt, start));
  }

  /** Redis says that the last occurrence is over. */
  synchronized void ended(Attempt attempt) {
    bookOf(attempt).ifPresent(Book::end);
  }

  synchronized void asked(Attempt attempt) {
    book(attempt.job()).ifPresent(book -> book.ask(attempt.dueAt()));
  }

  /** A client was answered that the collection is disabled. */
  synchronized void closed() {
    closed = true;
  }

  /** A client asks for it to be enabled. */
  synchronized void opening() {
    closed = false;
  }

  synchronized void claimed(Attempt attempt, String node, Instant at, boolean collectionDisabled) {
    if (closed && !collectionDisabled) {
      throw new ViolationException(
          Rule.DISABLED_MARKER, attempt.member() + " is claimed after the answer of disable");
    }
    bookOf(attempt).ifPresent(book -> book.claim(attempt, node, at, collectionDisabled));
  }

  synchronized void scheduled(Attempt attempt, Attempt moved, boolean isSkipped, Instant sent) {
    bookOf(attempt).ifPresent(book -> book.scheduleNext(attempt, moved, isSkipped, sent));
  }

  private Executions executions(Attempt attempt) {
    return executions.computeIfAbsent(attempt.job(), Executions::new);
  }

  /** Returns the revision of the existing job, -1 for none. */
  private long revision(Attempt attempt) {
    return book(attempt.job()).map(book -> book.current().revision()).orElse(-1L);
  }

  /** Redis judged whether an occurrence may begin beside other executions. */
  synchronized void judged(Attempt claimed, Attempt moved, int room, String word) {
    executions(claimed).judge(claimed, moved, revision(claimed), room, word);
  }

  /** The occurrence is not performed, regardless of other executions. */
  synchronized void refused(Attempt moved) {
    executions(moved).refuse(moved);
  }

  /** An attempt of a job whose executions must not overlap is about to be made. */
  synchronized void begins(Attempt attempt, String word) {
    executions(attempt).begin(attempt, revision(attempt), word);
  }

  /** An attempt has ended. */
  synchronized void finished(ScriptCall sent, Attempt attempt, String word) {
    executions(attempt).finish(sent, attempt, revision(attempt), word);
    if (!word.equals("LOST") && !word.equals("GONE")) {
      HistoryEntry entry = StoredJson.readHistory(sent.argument(8));
      boolean isFollowed = !sent.argument(2).isEmpty();
      bookOf(attempt).ifPresent(book -> book.finish(attempt, entry, isFollowed, sent, word));
    }
  }

  synchronized void stands(Attempt attempt, Instant sent) {
    bookOf(attempt).ifPresent(book -> book.stand(attempt, sent));
  }

  synchronized void moved(Attempt attempt, Attempt moved) {
    bookOf(attempt).ifPresent(book -> book.move(attempt, moved));
  }

  /** A next occurrence waits, and a node reported the missed ones before it. */
  synchronized void missed(
      Attempt attempt, Attempt moved, Instant next, long missed, boolean isSkipped, Instant sent) {
    bookOf(attempt)
        .ifPresent(book -> book.checkMissed(attempt, moved.dueAt(), next, missed, isSkipped, sent));
  }

  synchronized void waits(Attempt attempt, Instant next, Instant due, Instant sent) {
    bookOf(attempt).ifPresent(book -> book.checkPace(attempt, next, due, sent));
  }

  /** The target was called. */
  synchronized void called(
      String job,
      String deliveryId,
      Instant nominal,
      Instant now,
      String destination,
      Object call) {
    if (nominal.isBefore(from)) {
      return;
    }
    note("   call of " + job + ", due " + nominal);
    try {
      List<Book> known = all(job).stream().filter(book -> book.knows(deliveryId)).toList();
      if (known.isEmpty()) {
        throw new ViolationException(
            Rule.LICENSED, job + " of " + nominal + " is called without a claim");
      }
      Attempt attempt = known.get(0).attempt(deliveryId);
      known.get(0).call(deliveryId, nominal, now);
      if (known.get(0).isExclusive(attempt)) {
        executions(attempt).call(attempt);
      }
      Book.Claimed claimed = known.get(0).claimed(attempt);
      String flow = known.get(0).flow(claimed.attempt());
      if (!flow.isEmpty()) {
        flows.call(flow, destination, attempt.member(), claimed.node(), claimed.at(), call, now);
      }
    } catch (ViolationException another) {
      found(another);
    }
  }

  /** The target answers, and may ask for no calls before an instant. */
  synchronized void answered(Object call, boolean fails, Optional<Instant> notBefore, Instant now) {
    flows.answer(call, fails, notBefore, now);
  }

  synchronized void taken(ScriptCall sent, List<Object> reply, boolean isHeard, Instant now) {
    flows.take(sent, reply, isHeard, now);
  }

  /** The nodes that are well have read the flows. */
  synchronized void flowsLooked(List<String> nodes) {
    flows.looked(nodes);
  }

  /** Whether these nodes have reported all outcomes to the flows that they should have reported. */
  synchronized boolean isTold(List<String> nodes) {
    try {
      flows.checkTold(nodes);
      return true;
    } catch (ViolationException untold) {
      return false;
    }
  }

  /** Fails the walk if these nodes have not reported an outcome that they should have reported. */
  synchronized void flowsTold(List<String> nodes) {
    try {
      flows.checkTold(nodes);
    } catch (ViolationException untold) {
      found(untold);
    }
  }

  /** Returns the destinations of the flow with a breaker, as Redis keys name them. */
  synchronized List<String> breakers() {
    return flows.breakers();
  }

  /** Whether the breaker of a destination lets all calls through. */
  synchronized boolean isBreakerClosed(String destination) {
    return flows.breaker(destination).isClosed();
  }

  /** Returns the number of changes of the breaker of a destination. */
  synchronized long breakerGeneration(String destination) {
    return flows.breaker(destination).generation();
  }

  /** See {@link FlowBook#longest}. */
  synchronized Duration breakerBound(String destination, Duration patience) {
    return flows.longest(destination, patience);
  }

  /** A client reset the limits of a flow. */
  synchronized void flowReset(String key, boolean wasThere, Instant now) {
    flows.reset(key, wasThere, now);
  }

  /** Returns the number of resets of a flow. */
  synchronized int flowResets(String flow) {
    return flows.resets(flow);
  }

  /** All nodes that are well know that the flows are paused. */
  synchronized void flowsStopped(Instant now) {
    flows.stop(now);
  }

  /** The flows let all calls through from now on. */
  synchronized void flowsRelax() {
    flows.relax();
  }

  /** A client asks to resume the flows. */
  synchronized void flowsGoOn() {
    flows.goOn();
  }

  /** A node was the first to poll this partition, named by its list of due attempts. */
  synchronized void looked(String node, String due) {
    owners.put(due, node);
  }

  /** Returns the node that polls each partition first. */
  synchronized Map<String, String> owners() {
    return Map.copyOf(owners);
  }
}
