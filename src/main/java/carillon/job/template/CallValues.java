package carillon.job.template;

import carillon.job.attempt.Attempt;
import carillon.job.name.ShortName;
import carillon.job.template.Template.Word;
import java.time.Instant;
import java.time.ZoneId;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Values of the placeholders in one call. A placeholder whose value is in neither map stays as it
 * is written, because a preview does not know all of them.
 *
 * @param zone of the job, for patterns and for days to add
 * @param instants by the words that name them
 * @param texts of all other words
 */
public record CallValues(ZoneId zone, Map<Word, Instant> instants, Map<Word, String> texts) {

  /**
   * Returns the values of an attempt.
   *
   * @param name {@code collection/job} in the case they were given
   * @param lastSuccess nominal instant of the last occurrence that completed before this one
   */
  public static CallValues of(
      Attempt attempt, String name, ZoneId zone, Optional<Instant> lastSuccess) {
    ShortName job = ShortName.parse(name);
    Map<Word, Instant> instants = new EnumMap<>(Word.class);
    instants.put(Word.SCHEDULED_AT, attempt.dueAt());
    Map<Word, String> texts = new EnumMap<>(Word.class);
    texts.put(Word.EXECUTION_ID, attempt.executionId());
    texts.put(Word.ATTEMPT, Integer.toString(attempt.number()));
    texts.put(Word.OCCURRENCE, Integer.toString(attempt.occurrence()));
    texts.put(Word.JOB, job.job());
    texts.put(Word.COLLECTION, job.collection());
    texts.put(Word.LAST_SUCCESS_AT, "");
    lastSuccess.ifPresent(at -> instants.put(Word.LAST_SUCCESS_AT, at));
    return new CallValues(zone, instants, texts);
  }
}
