package carillon.codec;

/**
 * The readers and writers of one dialect.
 *
 * @param jobReader see {@link JobReader}
 * @param jobWriter see {@link JobWriter}
 * @param collectionReader see {@link CollectionReader}
 * @param collectionWriter see {@link CollectionWriter}
 * @param historyWriter see {@link HistoryWriter}
 */
public record Wire(
    JobReader jobReader,
    JobWriter jobWriter,
    CollectionReader collectionReader,
    CollectionWriter collectionWriter,
    HistoryWriter historyWriter) {

  /** Speaks the dialect within the limits, about jobs that call what they may. */
  public static Wire of(Dialect dialect, Limits limits, TargetRule targets) {
    return new Wire(
        new JobReader(dialect, limits, targets),
        new JobWriter(dialect),
        new CollectionReader(dialect),
        new CollectionWriter(dialect),
        new HistoryWriter(dialect));
  }
}
