package carillon.fsck;

import carillon.fsck.Finding.Outcome;
import carillon.store.operation.RawRedisReader;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decides what of all that looks wrong is, reports it and has it mended. */
final class FindingVerifier {
  private static final int LOOKS = 3;

  private final RawRedisReader inspection;
  private final boolean isRepairing;
  private final Duration pause;
  private final Finding.Listener listener;
  private final FsckReport report;
  private final List<DeferredCheck> doubts = new ArrayList<>();

  /**
   * A judge.
   *
   * @param pause between two looks at what spans slots
   */
  FindingVerifier(
      RawRedisReader inspection,
      boolean isRepairing,
      Duration pause,
      Finding.Listener listener,
      FsckReport report) {
    this.inspection = inspection;
    this.isRepairing = isRepairing;
    this.pause = pause;
    this.listener = listener;
    this.report = report;
  }

  boolean isRepairing() {
    return isRepairing;
  }

  Duration pause() {
    return pause;
  }

  /** Proves each, and mends it in the same step if that is asked for. */
  Future<Void> settle(List<Suspicion> suspects) {
    return AsyncLoops.inTurn(suspects, this::settle);
  }

  private Future<Void> settle(Suspicion suspect) {
    if (isRepairing && suspect.proof().isRepair()) {
      return inspection
          .perform(suspect.proof())
          .map(done -> done ? tell(suspect.finding(), Outcome.REPAIRED) : null);
    }
    return inspection
        .holds(suspect.proof())
        .map(
            isSo ->
                isSo ? tell(suspect.finding(), isRepairing ? Outcome.LEFT : Outcome.FOUND) : null);
  }

  private Void tell(Finding finding, Outcome outcome) {
    report.add(finding.kind(), outcome);
    listener.found(finding, outcome);
    return null;
  }

  /** To be looked at at the end. */
  void doubt(DeferredCheck doubt) {
    doubts.add(doubt);
  }

  /** A doubt and what it looked like. */
  private record Seen(DeferredCheck doubt, Finding finding) {}

  /** Looks at all doubts, several times. */
  Future<Void> settleDoubts() {
    List<Seen> wrong = new ArrayList<>();
    return AsyncLoops.inTurn(doubts, doubt -> look(doubt).map(found -> keep(found, doubt, wrong)))
        .compose(done -> lookAgain(wrong, 1))
        .compose(this::conclude);
  }

  private static Void keep(Optional<Finding> found, DeferredCheck doubt, List<Seen> wrong) {
    found.ifPresent(finding -> wrong.add(new Seen(doubt, finding)));
    return null;
  }

  private Future<List<Seen>> lookAgain(List<Seen> wrong, int looks) {
    if (wrong.isEmpty() || looks == LOOKS) {
      return Future.succeededFuture(wrong);
    }
    List<Seen> still = new ArrayList<>();
    return inspection
        .pause(pause)
        .compose(
            passed ->
                AsyncLoops.inTurn(
                    wrong,
                    seen ->
                        look(seen.doubt)
                            .map(
                                found ->
                                    keep(found.filter(seen.finding::equals), seen.doubt, still))))
        .compose(done -> lookAgain(still, looks + 1));
  }

  /** What holds another type is reported by that. */
  private static Future<Optional<Finding>> look(DeferredCheck doubt) {
    return doubt
        .look()
        .get()
        .recover(
            failure ->
                RawRedisReader.isWrongType(failure)
                    ? Future.succeededFuture(Optional.empty())
                    : Future.failedFuture(failure));
  }

  /** One after the other, as mending one may mend another. */
  private Future<Void> conclude(List<Seen> certain) {
    return AsyncLoops.each(
        certain,
        seen ->
            look(seen.doubt)
                .compose(
                    found ->
                        found.filter(seen.finding::equals).isPresent()
                            ? conclude(seen)
                            : Future.succeededFuture()));
  }

  private Future<Void> conclude(Seen seen) {
    return isRepairing
        ? seen.doubt
            .repair()
            .get()
            .map(mended -> mended ? tell(seen.finding, Outcome.REPAIRED) : null)
        : Future.succeededFuture(tell(seen.finding, Outcome.FOUND));
  }
}
