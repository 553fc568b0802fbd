package carillon.json;

import carillon.json.action.TargetPolicy;
import carillon.json.text.Dialect;
import carillon.json.text.SubmissionLimits;

/**
 * Codecs of one dialect.
 *
 * @param jobs see {@link JobCodec}
 * @param collections see {@link CollectionCodec}
 * @param history see {@link HistoryCodec}
 */
public record DialectCodecs(JobCodec jobs, CollectionCodec collections, HistoryCodec history) {
  /** Returns the codecs of a dialect, with these limits and this policy for the targets of jobs. */
  public static DialectCodecs of(Dialect dialect, SubmissionLimits limits, TargetPolicy targets) {
    return new DialectCodecs(
        new JobCodec(dialect, limits, targets),
        new CollectionCodec(dialect),
        new HistoryCodec(dialect));
  }
}
