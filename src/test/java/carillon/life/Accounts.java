package carillon.life;

import carillon.job.StoredJob;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;
import carillon.job.attempt.HistoryEntry.Status;
import carillon.job.name.JobState;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Check at rest: compares a {@link Book} with the history and the stored job. */
final class Accounts {
  private static final Pattern MISSED =
      Pattern.compile(
          "(\\d+) occurrences from (\\S+) were missed(?:: [^;]*)?; (?:the latest, of|those from) ([^ ,]+)");
  private static final Pattern DROPPED =
      Pattern.compile("(\\d+) occurrences from (\\S+) were due and not begun");

  private final String job;
  private final Book book;
  private final StoredJob stored;
  private final List<HistoryEntry> history;
  private final Instant now;
  private final List<Span> spans = new ArrayList<>();

  /** Occurrences that a history entry covers, both ends inclusive. */
  private record Span(Instant from, Instant to, long occurrences) {
    /** Entries have no nanoseconds. */
    boolean covers(Instant instant) {
      Instant told = instant.truncatedTo(ChronoUnit.MICROS);
      return !told.isBefore(from) && !told.isAfter(to);
    }
  }

  Accounts(String job, Book book, StoredJob stored, List<HistoryEntry> history, Instant now) {
    this.job = job;
    this.book = book;
    this.stored = stored;
    this.history = history;
    this.now = now;
    history.stream().filter(e -> e.occurrence() > 0).forEach(entry -> spans.add(span(entry)));
  }

  private Span span(HistoryEntry entry) {
    Matcher missed = MISSED.matcher(entry.message());
    if (missed.find()) {
      Instant late = Instant.parse(missed.group(3));
      return new Span(
          Instant.parse(missed.group(2)), late.minusNanos(1), Long.parseLong(missed.group(1)));
    }
    Matcher dropped = DROPPED.matcher(entry.message());
    if (dropped.find()) {
      Instant from = Instant.parse(dropped.group(2));
      long occurrences = Long.parseLong(dropped.group(1));
      long every = era(entry).map(era -> era.plan().every()).orElse(0L);
      return new Span(from, from.plusSeconds((occurrences - 1) * every), occurrences);
    }
    return new Span(entry.dueAt(), entry.dueAt(), 1);
  }

  /** Returns the era of an entry. */
  private Optional<Era> era(HistoryEntry entry) {
    return book.eras().stream().filter(era -> isOf(entry, era.revision())).findFirst();
  }

  /**
   * The id of an execution names the revision. For an execution that was never claimed, the id is
   * computed.
   */
  private boolean isOf(HistoryEntry entry, long revision) {
    return book.revision(entry.execution())
        .map(known -> known == revision)
        .orElseGet(
            () ->
                new Attempt(job, entry.dueAt(), 1, Attempt.Phase.MAIN, 1, revision, 0)
                    .executionId()
                    .equals(entry.execution()));
  }

  /** Throws a {@link ViolationException}. */
  void check() {
    for (int i = 0; i < book.eras().size(); i++) {
      Era era = book.eras().get(i);
      boolean isLast = i + 1 == book.eras().size();
      Instant end = isLast ? now : end(i);
      if (era.plan().isOnce()) {
        checkOnce(era, end, isLast ? null : book.eras().get(i + 1));
      } else if (era.enabled()) {
        checkRecurring(era, end);
      }
    }
    checkEnd();
    checkCounters();
  }

  /**
   * Returns the end of an era that another era follows. An occurrence that is due exactly at the
   * change may be left to the later era. If the clock is set back, that era need not reach it.
   */
  private Instant end(int era) {
    List<Era> eras = book.eras();
    Instant change = eras.get(era + 1).from();
    Instant then =
        eras.stream()
            .skip(era + 2)
            .map(Era::from)
            .filter(from -> !from.equals(change))
            .findFirst()
            .orElse(now);
    return then.isAfter(change) ? change : change.minusNanos(1);
  }

  private boolean isAccounted(Instant instant) {
    return book.isCalled(instant) || spans.stream().anyMatch(span -> span.covers(instant));
  }

  private void checkOnce(Era era, Instant end, Era next) {
    Instant wanted = era.wanted();
    boolean carried = next != null && wanted != null && wanted.equals(next.wanted());
    boolean waits = next == null && !era.enabled();
    if (wanted != null && !wanted.isAfter(end) && !carried && !waits && !isAccounted(wanted)) {
      throw owed(wanted, era);
    }
  }

  private ViolationException owed(Instant instant, Era era) {
    return new ViolationException(
        Rule.OWED,
        job + " of " + instant + " was neither called nor recorded; " + era + ", " + history);
  }

  private void checkRecurring(Era era, Instant end) {
    SortedSet<Instant> begun = book.begun(era.life());
    int count = era.plan().count();
    boolean isOver = count > 0 && begun.size() >= count;
    Instant last = isOver && begun.last().isBefore(end) ? begun.last() : end;
    Instant instant = era.plan().atOrAfter(era.from());
    for (; !instant.isAfter(last); instant = instant.plusSeconds(era.plan().every())) {
      boolean isBehind = era.begun() != null && !instant.isAfter(era.begun());
      if (!isBehind && !isAccounted(instant) && !isOnTheEdge(era, instant)) {
        throw owed(instant, era);
      }
    }
  }

  /** The instant of a change belongs to the era before the change. */
  private boolean isOnTheEdge(Era era, Instant instant) {
    return book.eras().indexOf(era) > 0 && instant.equals(era.from());
  }

  private void checkEnd() {
    Era era = book.current();
    boolean isFinal = stored.state().isFinal();
    if (isFinal && era.plan().isOnce() && !isAccounted(era.wanted())) {
      throw ended("though its occurrence of " + era.wanted() + " was not called");
    }
    if (era.plan().isOnce()) {
      boolean due = era.enabled() && !era.wanted().isAfter(now);
      if (due != isFinal && due) {
        throw ended("though it was due at " + era.wanted());
      }
      return;
    }
    int begun = book.begun(era.life()).size();
    boolean over = era.plan().count() > 0 && begun >= era.plan().count();
    if (over != isFinal && era.enabled()) {
      throw ended("after " + begun + " of " + era.plan().count());
    }
  }

  private ViolationException ended(String why) {
    return new ViolationException(
        Rule.FINAL, job + " is " + stored.state() + " " + why + "; " + history);
  }

  private void checkCounters() {
    if (book.goesOn()) {
      return;
    }
    int life = book.current().life();
    List<HistoryEntry> own =
        history.stream().filter(e -> era(e).filter(era -> era.life() == life).isPresent()).toList();
    StoredJob.Counters counters = stored.counters();
    check("executions", counters.executions(), own.stream().filter(Accounts::isExecution).count());
    check("failures", counters.failures(), own.stream().filter(Accounts::isFailure).count());
    check(
        "skipped",
        counters.skipped(),
        own.stream()
            .filter(entry -> entry.status() == Status.SKIPPED)
            .mapToLong(entry -> span(entry).occurrences())
            .sum());
  }

  private static boolean isExecution(HistoryEntry entry) {
    return entry.phase() == Attempt.Phase.MAIN
        && entry.retry() == 0
        && entry.status() != Status.SKIPPED;
  }

  private static boolean isFailure(HistoryEntry entry) {
    return entry.phase() == Attempt.Phase.MAIN && entry.status() == Status.FAILED;
  }

  private void check(String counter, long is, long expected) {
    if (is != expected) {
      throw new ViolationException(
          Rule.COUNT, job + ": " + counter + " is " + is + ", not " + expected + "; " + history);
    }
  }

  /** Whether the stored state is the last state that the client wrote. */
  boolean isAsWritten() {
    return stored.state().isFinal()
        || (stored.state() == JobState.ENABLED) == book.current().enabled();
  }
}
