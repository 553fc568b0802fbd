package carillon.json;

/**
 * The codecs of one dialect.
 *
 * @param jobs see {@link JobCodec}
 * @param collections see {@link CollectionCodec}
 * @param history see {@link HistoryCodec}
 */
public record DialectCodec(JobCodec jobs, CollectionCodec collections, HistoryCodec history) {
  /** Speaks the dialect within the limits, about jobs that call what they may. */
  public static DialectCodec of(Dialect dialect, SubmissionLimits limits, TargetPolicy targets) {
    return new DialectCodec(
        new JobCodec(dialect, limits, targets),
        new CollectionCodec(dialect),
        new HistoryCodec(dialect));
  }
}
