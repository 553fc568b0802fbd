package carillon.store.job;

import carillon.access.AuditEntry.AuditContext;
import carillon.job.JobDefinition;
import carillon.job.name.IsoInstant;
import carillon.json.StoredJson;
import carillon.redis.EpochMillis;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import carillon.store.attempt.StoredDefaults;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Calls of the script {@code create_jobs}, which writes new jobs in batches. Confined to the event
 * loop of its link.
 */
final class CreateJobsScript {
  private static final Script<Created> CREATE = Script.returningWord("create_jobs", Created.class);

  private final RedisLink link;
  private final Keys keys;
  private final AuditLog audit;

  CreateJobsScript(RedisLink link, Keys keys, AuditLog audit) {
    this.link = link;
    this.keys = keys;
    this.audit = audit;
  }

  /** Result of {@link #create}. */
  enum Created {
    CREATED,
    /** The job existed already, and is unchanged. */
    EXISTS,
    /** Not created. The caller must use the script {@code put_job}. */
    OTHER
  }

  /**
   * Creates a job, unless it exists.
   *
   * @param next first due instant; empty if nothing will wait
   * @param now the instant of its creation; its milliseconds become the revision
   * @param behind sends the commands that follow the batch
   */
  Future<Created> create(
      JobContent content,
      Optional<Instant> next,
      AuditContext context,
      Instant now,
      Supplier<? extends Future<?>> behind) {
    JobDefinition definition = content.definition();
    Map<String, String> fields = fields(content, next, now);
    List<String> auditing = audit.arguments(context);
    return CREATE
        .on(link)
        .shared("collection", content.name().collection().key())
        .shared("epoch", Long.toString(content.epoch()))
        .shared("state", content.state().word())
        .shared("audit_append", auditing.get(0))
        .shared("audit_append", auditing.get(1))
        .shared("fields", String.join(" ", fields.keySet()))
        .arg("slot", keys.slot(keys.partition(content.name().key())))
        .arg("name", content.name().folded())
        .arg("revision", now.toEpochMilli())
        .arg("definition", StoredJson.write(definition))
        .arg("next", next.map(IsoInstant::text).orElse(""))
        .arg("due", next.map(definition.occurrences()::planned).map(EpochMillis::text).orElse(""))
        .args("value", fields.values())
        .runBatched(behind);
  }

  /** Returns the values of fields that most jobs leave out, by field name. */
  private static Map<String, String> fields(
      JobContent content, Optional<Instant> next, Instant now) {
    Optional<String> local =
        next.flatMap(at -> content.definition().localOf(at, now)).map(Object::toString);
    String name = StoredDefaults.storedName(content.name());
    if (local.isEmpty() && name.isEmpty()) {
      return Map.of();
    }
    Map<String, String> fields = new TreeMap<>();
    local.ifPresent(time -> fields.put("local", time));
    if (!name.isEmpty()) {
      fields.put("name", name);
    }
    return fields;
  }
}
