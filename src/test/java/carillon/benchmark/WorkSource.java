package carillon.benchmark;

import io.vertx.core.buffer.Buffer;
import java.util.function.IntFunction;

/**
 * Jobs to be submitted. All parts are asked by several event loops at once.
 *
 * @param pace which is next
 * @param requests the bytes to send for a job
 * @param journal told of every answer
 */
record WorkSource(SendRate pace, IntFunction<Buffer> requests, Journal journal) {

  /** Told how a submission went. */
  interface Journal {
    /** Both instants are of {@link EpochMicros}. */
    void answered(int index, long sent, long answered);
  }
}
