package carillon.fsck;

import static carillon.fsck.CheckContext.orOnWrongType;

import carillon.bounded.AsyncLoops;
import carillon.fsck.Finding.Outcome;
import carillon.redis.ConditionalCommands;
import carillon.store.operation.RawRedisReader;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Confirms suspected findings, reports them and applies repairs. */
final class FindingVerifier {
  private static final int LOOKS = 3;

  private final RawRedisReader reader;
  private final boolean isRepairing;
  private final Duration pause;
  private final Finding.Listener listener;
  private final FsckReport report;
  private final List<Deferred> deferred = new ArrayList<>();

  /**
   * Creates a verifier.
   *
   * @param pause between two looks at findings that span slots
   */
  FindingVerifier(
      RawRedisReader reader,
      boolean isRepairing,
      Duration pause,
      Finding.Listener listener,
      FsckReport report) {
    this.reader = reader;
    this.isRepairing = isRepairing;
    this.pause = pause;
    this.listener = listener;
    this.report = report;
  }

  /**
   * A suspected finding that one slot decides.
   *
   * @param proof the facts that make it wrong, and the commands that repair it, if there are any
   */
  record Suspicion(Finding finding, ConditionalCommands proof) {
    Suspicion(
        FindingKind kind, String key, String expected, String found, ConditionalCommands proof) {
      this(new Finding(kind, key, expected, found), proof);
    }
  }

  /** Suspected finding that spans slots, with the result of the last look. */
  private record Deferred(
      Supplier<Future<Optional<Finding>>> look,
      Supplier<Future<Boolean>> repair,
      Optional<Finding> first) {}

  boolean isRepairing() {
    return isRepairing;
  }

  Duration pause() {
    return pause;
  }

  /** Proves each, and repairs it in the same step if the run repairs. */
  Future<Void> settle(List<Suspicion> suspects) {
    return AsyncLoops.concurrently(suspects, one -> settle(one.finding(), one.proof()));
  }

  /** Proves a finding, and repairs it in the same step if the run repairs. */
  Future<Void> settle(Suspicion suspect) {
    return settle(suspect.finding(), suspect.proof());
  }

  /** Proves a finding, and repairs it in the same step if the run repairs. */
  Future<Void> settle(Finding finding, ConditionalCommands proof) {
    return isRepairing && proof.isRepair()
        ? reader.perform(proof).map(done -> done ? report(finding, Outcome.REPAIRED) : null)
        : reader
            .holds(proof)
            .map(
                holds ->
                    holds ? report(finding, isRepairing ? Outcome.LEFT : Outcome.FOUND) : null);
  }

  private Void report(Finding finding, Outcome outcome) {
    report.add(finding.kind(), outcome);
    listener.found(finding, outcome);
    return null;
  }

  /**
   * Notes a suspected fault that spans slots, so no single step can prove it. The fault is certain
   * if several looks find it unchanged, over a period longer than any node takes between two steps.
   *
   * @param look looks again: empty without a fault; an equal finding means that nothing has changed
   * @param repair repairs it by steps that are safe after any change since; false if no repair was
   *     needed
   */
  void defer(Supplier<Future<Optional<Finding>>> look, Supplier<Future<Boolean>> repair) {
    deferred.add(new Deferred(look, repair, Optional.empty()));
  }

  /** Looks at all deferred findings several times, and settles them. */
  Future<Void> settleDeferred() {
    return look(deferred, 1);
  }

  private Future<Void> look(List<Deferred> suspects, int looks) {
    List<Deferred> wrong = new ArrayList<>();
    return AsyncLoops.concurrently(suspects, one -> look(one, wrong))
        .compose(
            done -> {
              if (wrong.isEmpty()) {
                return Future.succeededFuture();
              }
              return looks == LOOKS
                  ? conclude(wrong)
                  : reader.pause(pause).compose(passed -> look(wrong, looks + 1));
            });
  }

  private static Future<Void> look(Deferred suspect, List<Deferred> wrong) {
    return orOnWrongType(suspect.look.get(), Optional.<Finding>empty())
        .map(
            found -> {
              if (found.isPresent() && (suspect.first.isEmpty() || suspect.first.equals(found))) {
                wrong.add(new Deferred(suspect.look, suspect.repair, found));
              }
              return null;
            });
  }

  /**
   * Concludes the findings one after the other, because one repair may repair another finding too.
   */
  private Future<Void> conclude(List<Deferred> certain) {
    return AsyncLoops.each(
        certain,
        suspect -> {
          List<Deferred> still = new ArrayList<>();
          return look(suspect, still)
              .compose(done -> still.isEmpty() ? Future.succeededFuture() : conclude(still.get(0)));
        });
  }

  private Future<Void> conclude(Deferred suspect) {
    Finding finding = suspect.first.orElseThrow();
    return isRepairing
        ? suspect.repair.get().map(done -> done ? report(finding, Outcome.REPAIRED) : null)
        : Future.succeededFuture(report(finding, Outcome.FOUND));
  }
}
