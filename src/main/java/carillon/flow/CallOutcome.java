package carillon.flow;

import java.time.Instant;
import java.util.Optional;

/**
 * What a call tells of its destination.
 *
 * @param failed whether the destination, or the way to it, failed: no answer, none in time, or a
 *     status 408, 429 or 5xx
 * @param retryAt before which the destination asks not to be called
 */
public record CallOutcome(boolean failed, Optional<Instant> retryAt) {}
