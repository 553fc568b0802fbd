package carillon.api.console;

import carillon.bus.Messages;
import carillon.job.HistoryEntry;
import carillon.job.JobKey;
import carillon.json.HistoryCodec;
import carillon.json.StoredJson;
import java.util.Optional;

/** An attempt as nodes tell each other: {@code sub/group/coll/job Coll/Job entry}. */
final class LiveEventCodec {
  /** Characters of a target's answer; the whole is in the job's history. */
  private static final int MOST_OF_MESSAGE = 1000;

  private LiveEventCodec() {}

  static String of(Messages.AttemptEnded ended, HistoryEntry entry) {
    return ended.claim().attempt().job()
        + " "
        + ended.name()
        + " "
        + StoredJson.write(shortened(entry));
  }

  private static HistoryEntry shortened(HistoryEntry entry) {
    return entry.message().length() <= MOST_OF_MESSAGE
        ? entry
        : new HistoryEntry(
            entry.start(),
            entry.end(),
            entry.dueAt(),
            entry.status(),
            entry.phase(),
            entry.occurrence(),
            entry.retry(),
            entry.execution(),
            entry.message().substring(0, MOST_OF_MESSAGE) + "…");
  }

  /** Empty when it is of another version, in another form. */
  static Optional<HistoryCodec.Live> read(String node, String line) {
    String[] parts = line.split(" ", 3);
    boolean isWhole =
        parts.length == 3 && JobKey.hasItsForm(parts[0]) && parts[1].split("/", -1).length == 2;
    if (!isWhole) {
      return Optional.empty();
    }
    try {
      HistoryEntry entry = StoredJson.readHistory(parts[2]);
      return Optional.of(new HistoryCodec.Live(node, parts[0], parts[1], entry));
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }
}
