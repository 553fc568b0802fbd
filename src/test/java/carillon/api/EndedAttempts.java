package carillon.api;

import carillon.bus.Messages;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.Claim;
import carillon.job.attempt.HistoryEntry;
import java.util.Optional;

/** Messages that a dispatcher sends when an attempt has ended. */
public final class EndedAttempts {
  private EndedAttempts() {}

  /** Returns the message for a job of the default collection of this subscription. */
  public static Messages.AttemptEnded of(
      String subscription, String job, HistoryEntry.Status status, String message) {
    String name = subscription + "/default/default/" + job;
    Attempt attempt = new Attempt(name, ApiServer.START, 1, Attempt.Phase.MAIN, 1, 1, 0);
    HistoryEntry entry =
        HistoryEntry.of(attempt, ApiServer.START, ApiServer.START.plusMillis(5), status, message);
    return new Messages.AttemptEnded(
        new Claim(attempt, "t"), "Default/" + job, Optional.of(entry), Optional.empty());
  }
}
