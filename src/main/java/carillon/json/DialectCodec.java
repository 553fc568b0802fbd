package carillon.json;

/**
 * The readers and writers of one dialect.
 *
 * @param jobReader see {@link JobReader}
 * @param jobWriter see {@link JobWriter}
 * @param collectionReader see {@link CollectionReader}
 * @param collectionWriter see {@link CollectionWriter}
 * @param historyWriter see {@link HistoryWriter}
 */
public record DialectCodec(
    JobReader jobReader,
    JobWriter jobWriter,
    CollectionReader collectionReader,
    CollectionWriter collectionWriter,
    HistoryWriter historyWriter) {

  /** Speaks the dialect within the limits, about jobs that call what they may. */
  public static DialectCodec of(Dialect dialect, SubmissionLimits limits, TargetPolicy targets) {
    return new DialectCodec(
        new JobReader(dialect, limits, targets),
        new JobWriter(dialect),
        new CollectionReader(dialect),
        new CollectionWriter(dialect),
        new HistoryWriter(dialect));
  }
}
