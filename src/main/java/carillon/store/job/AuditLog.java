package carillon.store.job;

import carillon.access.AuditEntry;
import carillon.access.AuditEntry.AuditContext;
import carillon.access.AuditEntry.AuditFilter;
import carillon.config.Settings.AuditSettings;
import carillon.job.name.JobKey;
import carillon.redis.ConditionalCommands;
import carillon.redis.DamagedKey;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.StreamPager;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Log of the changes that clients made. A script writes the change of a job together with its log
 * entry, so neither exists without the other. The entry is in the stream of the job's partition.
 * Jobs created in one batch share an entry, in the partition of one of them. Any other change is
 * logged after it was made and before its answer. Every stream is bounded. Confined to the event
 * loop of its link.
 */
public final class AuditLog {
  /** Number of entries of a stream that one call reads. */
  private static final int TAKE = 32;

  private final RedisLink link;
  private final Keys keys;
  private final AuditSettings settings;
  private final String argument;

  public AuditLog(RedisLink link, Keys keys, AuditSettings settings) {
    this.link = link;
    this.keys = keys;
    this.settings = settings;
    this.argument = argument(settings, keys.partitions());
  }

  /**
   * Returns the settings for one partition as a script argument; see audit_append.lua and
   * put_job.lua.
   */
  private static String argument(AuditSettings settings, int partitions) {
    return perPartition(settings, partitions) + " " + settings.definitionBytes();
  }

  private static int perPartition(AuditSettings settings, int partitions) {
    return (settings.entries() + partitions - 1) / partitions;
  }

  /**
   * A page of entries, newest first.
   *
   * @param after position of the next page, if there is one
   */
  public record Page(List<AuditEntry> entries, Optional<String> after) {}

  /** Returns the audit arguments of a script that changes a job; see audit_append.lua. */
  public List<String> arguments(AuditContext context) {
    return List.of(settings.entries() == 0 ? "" : EntryCodec.text(context), argument);
  }

  /** Whether the entry of a new job must hold its definition. */
  boolean keepsNewDefinitions() {
    return settings.entries() > 0 && settings.newDefinitions();
  }

  /**
   * Logs a change of anything except a job.
   *
   * @param before JSON without secrets; empty if there was nothing
   * @param after likewise
   */
  public Future<Void> note(
      AuditContext context, String object, Optional<String> before, Optional<String> after) {
    if (settings.entries() == 0) {
      return Future.succeededFuture();
    }
    Request request =
        Request.cmd(Command.XADD)
            .arg(keys.audit())
            .arg("MAXLEN")
            .arg("~")
            .arg(settings.entries())
            .arg("*");
    Stream.of(EntryCodec.OBJECT, object, EntryCodec.CHANGE, EntryCodec.text(context))
        .forEach(request::arg);
    add(request, "before", before);
    add(request, "after", after);
    return DamagedKey.write(link, keys, keys.audit(), request).mapEmpty();
  }

  /**
   * Adds to commands the log entry for a change of a job that no client asked for.
   *
   * @param name name of the changed field
   * @param value old and new value
   */
  void note(
      ConditionalCommands commands, AuditContext context, JobKey job, String name, String value) {
    if (settings.entries() > 0) {
      int partition = keys.partition(job.text());
      commands.then(
          "XADD",
          keys.audit(partition),
          "MAXLEN",
          "~",
          Integer.toString(perPartition(settings, keys.partitions())),
          "*",
          EntryCodec.OBJECT,
          job.text(),
          EntryCodec.CHANGE,
          EntryCodec.text(context),
          name,
          value);
    }
  }

  /**
   * Adds a definition to a request, or only its length if it exceeds the limit, like the script
   * audit_append.
   */
  private void add(Request request, String name, Optional<String> definition) {
    definition.ifPresent(
        text -> {
          boolean fits = text.length() <= settings.definitionBytes();
          request.arg(fits ? name : name + "Bytes");
          request.arg(fits ? text : Integer.toString(text.length()));
        });
  }

  /**
   * Returns a page of entries, newest first. Fails with INVALID if {@code after} is no position.
   *
   * @param after where to begin, empty for the newest
   * @param skip number of entries to leave out first
   * @param top maximum number of entries on the page
   */
  public Future<Page> page(AuditFilter filter, String after, int skip, int top) {
    List<Integer> streams =
        IntStream.rangeClosed(Keys.NO_PARTITION, keys.partitions() - 1).boxed().toList();
    StreamPager.PageWindow window =
        new StreamPager.PageWindow(
            filter.fromMillis(), filter.untilMillis(), filter.object(), TAKE, Integer.MAX_VALUE);
    return new StreamPager<>(
            link, keys::audit, window, after, AuditLog::entry, all -> true, none -> false)
        .page(streams, skip, top)
        .map(page -> new Page(page.entries(), page.after()));
  }

  private static Optional<AuditEntry> entry(String id, Response fields) {
    Instant at = Instant.ofEpochMilli(Long.parseLong(id.substring(0, id.indexOf('-'))));
    return Optional.of(new AuditEntry(id, at, EntryCodec.of(fields)));
  }

  /**
   * Codec of the field for action, address and client. It is a single field, because each field of
   * an entry costs about 1 % of accepting a job.
   */
  static final class EntryCodec {
    /** First field of an entry; audit_page.lua selects entries by it. */
    static final String OBJECT = "object";

    static final String CHANGE = "change";
    private static final char SEPARATOR = '|';

    private EntryCodec() {}

    /**
     * Returns the text of the field. The client comes last, because the name of a key may hold any
     * character.
     */
    static String text(AuditContext context) {
      return context.did() + SEPARATOR + context.from() + SEPARATOR + context.by();
    }

    /** Returns the names and values of an entry in display order. */
    static Map<String, String> of(Response fields) {
      Map<String, String> facts = new LinkedHashMap<>();
      for (int i = 0; i + 1 < fields.size(); i += 2) {
        add(facts, fields.get(i).toString(), fields.get(i + 1).toString());
      }
      return facts;
    }

    private static void add(Map<String, String> facts, String name, String value) {
      String[] parts = value.split("\\|", 3);
      if (name.equals(CHANGE) && parts.length == 3) {
        facts.put("did", parts[0]);
        facts.put("by", parts[2]);
        facts.put("from", parts[1]);
      } else {
        facts.put(name, value);
      }
    }
  }
}
