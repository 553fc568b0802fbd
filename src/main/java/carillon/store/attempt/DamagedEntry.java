package carillon.store.attempt;

import carillon.job.attempt.Claim;
import carillon.job.attempt.HistoryEntry;
import carillon.job.name.Quoted;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Claimed entry that cannot be read. Only a manual edit or a bug can have written it.
 *
 * @param claim text in Redis
 * @param job key of the job, if the job is damaged
 * @param reason text for the log and the history
 */
public record DamagedEntry(String claim, Optional<String> job, String reason) {
  private static final Pattern NAMES_JOB =
      Pattern.compile("(job|run):([^/ ]+/[^/ ]+/[^/ ]+/[^/ ]+)(?: .*)?");

  /**
   * Returns the damaged entry for an unreadable item of a claim.
   *
   * @param item attempt, definition, revision, state, next and created, as the script returns them
   * @param token token of the claim
   */
  static DamagedEntry of(Response item, String token, RuntimeException why) {
    String entry = item.get(0).toString();
    Matcher named = NAMES_JOB.matcher(entry);
    boolean isField = why instanceof DamagedFieldException;
    boolean isWhole = named.matches() && named.group(1).equals("job");
    return new DamagedEntry(
        Claim.text(entry, token),
        named.matches() && (isField || isWhole) ? Optional.of(named.group(2)) : Optional.empty(),
        isWhole && !isField ? unclaimable(item) : String.valueOf(why.getMessage()));
  }

  /**
   * Returns why the script made no attempt of a due job, although each field in its reply can be
   * read.
   */
  private static String unclaimable(Response item) {
    if (item.get(1).toString().isEmpty()) {
      return item.get(4).toString().isEmpty()
          ? "its key holds no hash"
          : "its hash has no field 'definition'";
    }
    return "its field 'occurrence' is no number from 1 to " + Integer.MAX_VALUE;
  }

  /** An unreadable field of the job of a claimed entry. */
  static final class DamagedFieldException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DamagedFieldException(String field, String text, RuntimeException cause) {
      super(Quoted.field(field, text), cause);
    }
  }

  /** Returns the entry for the history of the job. */
  HistoryEntry entry(Instant now) {
    return HistoryEntry.damaged(now, "the stored job is damaged: " + reason);
  }
}
