package carillon.store.audit;

import carillon.job.AuditEntry.AuditContext;
import io.vertx.redis.client.Response;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How an entry of the audit log tells who did what: in one field, since each field of an entry
 * costs about 1 % of accepting a job.
 */
final class AuditEntryCodec {
  /** The first field of an entry, by which audit.lua finds it. */
  static final String OBJECT = "object";

  static final String CHANGE = "change";
  private static final char SEPARATOR = '|';

  private AuditEntryCodec() {}

  /** Who comes last: a name that was given to a key may hold any character. */
  static String text(AuditContext change) {
    return change.did() + SEPARATOR + change.from() + SEPARATOR + change.by();
  }

  /** The names and values of an entry, in the order in which they are shown. */
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
