package carillon.dispatch;

import carillon.dispatch.call.ActionInvoker.NotBegunException;
import carillon.job.attempt.Claim;
import carillon.store.AttemptEnding;
import carillon.store.attempt.AttemptStore;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releaser of claims whose attempt did not finish here. The attempt waits again. Confined to the
 * dispatcher's event loop.
 */
final class ClaimReleaser {
  private static final Logger LOG = LoggerFactory.getLogger(ClaimReleaser.class);

  private final AttemptStore attempts;
  private final InstantSource clock;
  private final AttemptEnding ending;
  private final AttemptEnding.Listener listener;

  /**
   * Creates a releaser.
   *
   * @param listener learns when an attempt that did not begin is due again
   */
  ClaimReleaser(
      AttemptStore attempts,
      InstantSource clock,
      AttemptEnding ending,
      AttemptEnding.Listener listener) {
    this.attempts = attempts;
    this.clock = clock;
    this.ending = ending;
    this.listener = listener;
  }

  /**
   * Releases the claim of a failed attempt. An attempt that did not begin waits as before. If
   * planning or recording failed, the call was perhaps sent. It counts as a crash, so that repeated
   * failures give the execution up.
   */
  Future<Void> release(Claim claim, Throwable failure) {
    Future<Void> released =
        failure instanceof NotBegunException notBegun
            ? releaseNotBegun(claim, notBegun)
            : releaseCrashed(claim, failure);
    return released.onFailure(
        cause ->
            LOG.atError()
                .addKeyValue("attempt", claim.attempt().member())
                .setCause(cause)
                .log("attempt cannot be released"));
  }

  private Future<Void> releaseNotBegun(Claim claim, NotBegunException failure) {
    LOG.atWarn()
        .addKeyValue("attempt", claim.attempt().member())
        .addKeyValue("error", failure.getMessage())
        .log("attempt was not begun, released");
    Instant due = clock.instant().plus(failure.pause());
    return attempts.release(claim, due).onSuccess(released -> listener.due(claim.attempt(), due));
  }

  private Future<Void> releaseCrashed(Claim claim, Throwable failure) {
    LOG.atError()
        .addKeyValue("attempt", claim.attempt().member())
        .setCause(failure)
        .log("attempt cannot be finished, released");
    return ending.releaseCrashed(claim);
  }

  /** Releases a claim in flight when the node stops; fails if Redis is unavailable. */
  Future<Void> releaseAtStop(Claim claim) {
    LOG.atWarn()
        .addKeyValue("attempt", claim.attempt().member())
        .log("attempt did not end within the grace period, released; it may be repeated");
    return attempts.releaseAtStop(claim, clock.instant());
  }
}
