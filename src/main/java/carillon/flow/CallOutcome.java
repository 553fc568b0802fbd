package carillon.flow;

import java.time.Instant;
import java.util.Optional;

/**
 * Health of a destination as one call shows it.
 *
 * @param failed whether the destination, or the way to it, failed: no answer, none in time, or a
 *     status 408, 429 or 5xx
 * @param retryAt before which the destination asks not to be called
 */
public record CallOutcome(boolean failed, Optional<Instant> retryAt) {}
