package carillon.store.job;

import carillon.job.name.WireWord;
import carillon.redis.DamagedKey;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.List;
import java.util.Optional;

/**
 * Notices of changes to all nodes, which would otherwise learn of them late. After a notice, nodes
 * give back unsent claims of disabled or deleted jobs, and start attempts of enabled collections.
 * They also read changed flows and calendars. Notices are only hints: a lost one costs time. They
 * are in a short stream, in which every node continues from its last position. Confined to the
 * event loop of its link.
 */
public final class ChangeNotices {
  /** Approximate number of notices kept. Far fewer arrive between two reads of a node. */
  private static final int KEPT = 1000;

  private static final int SLICE = 256;

  /** Last id to read. The last possible id is left out, because no id comes after it. */
  private static final String END = "18446744073709551615-18446744073709551614";

  private final RedisLink link;
  private final Keys keys;

  public ChangeNotices(RedisLink link, Keys keys) {
    this.link = link;
    this.keys = keys;
  }

  /** Kind of change. */
  public enum Kind implements WireWord {
    /** A collection was enabled. */
    ENABLED,
    /** A collection or a job was disabled. */
    DISABLED,
    /** A job was deleted. */
    DELETED,
    /** A flow was written or deleted. */
    FLOW,
    /** A calendar was written or deleted. */
    CALENDAR;
  }

  /**
   * A notice.
   *
   * @param id position after which to continue
   * @param kind empty for a word that this version does not know
   * @param key key of the collection, job, flow or calendar
   */
  public record Notice(String id, Optional<Kind> kind, String key) {
    private static Notice read(Response entry) {
      return new Notice(
          entry.get(0).toString(),
          WireWord.find(Kind.class, entry.get(1).get(0).toString()),
          entry.get(1).get(1).toString());
    }
  }

  public Future<Void> add(Kind kind, String key) {
    return DamagedKey.write(
            link,
            keys,
            keys.notices(),
            Request.cmd(Command.XADD)
                .arg(keys.notices())
                .arg("MAXLEN")
                .arg("~")
                .arg(KEPT)
                .arg("*")
                .arg(kind.word())
                .arg(key))
        .mapEmpty();
  }

  /** Returns the id of the newest notice. */
  public Future<String> last() {
    return link.send(
            Request.cmd(Command.XREVRANGE)
                .arg(keys.notices())
                .arg(END)
                .arg("-")
                .arg("COUNT")
                .arg(1))
        .map(last -> last.size() == 0 ? "0-0" : last.get(0).get(0).toString());
  }

  /** Returns some notices after an id, oldest first. */
  public Future<List<Notice>> after(String id) {
    return link.send(
            Request.cmd(Command.XRANGE)
                .arg(keys.notices())
                .arg("(" + id)
                .arg(END)
                .arg("COUNT")
                .arg(SLICE))
        .map(entries -> entries.stream().map(Notice::read).toList());
  }
}
