package carillon.json.view;

import carillon.job.StoredJob;
import carillon.job.StoredJob.DamagedJob;
import carillon.job.attempt.HistoryEntry;
import carillon.job.collection.Hold.Holds;
import carillon.job.name.CollectionName;
import carillon.job.name.JobState;
import carillon.json.JobCodec;
import carillon.json.text.Dialect;
import carillon.json.text.JsonOut;
import carillon.json.text.Timestamps;
import carillon.recurrence.timetable.Exclusions;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writer of the result of a search for jobs. */
public final class SearchWriter {
  private SearchWriter() {}

  /**
   * Job in the result of a search.
   *
   * @param lastOutcome result of its last attempt, {@code none} if there was none
   * @param recent results of its newest attempts, newest first; empty if they are not shown
   * @param holds pauses that may hold it back
   */
  public record Hit(
      StoredJob job,
      String lastOutcome,
      Optional<List<HistoryEntry.Summary>> recent,
      Holds holds) {}

  /**
   * Writes a page of results.
   *
   * @param damaged found jobs that cannot be read
   * @param counts of all jobs of the collection, by state; empty if they are not shown
   * @param total number of matching jobs; empty if they were not counted
   */
  public static byte[] page(
      List<Hit> hits,
      List<DamagedJob> damaged,
      Optional<String> nextLink,
      Optional<Map<JobState, Long>> counts,
      Optional<Long> total) {
    return JsonOut.object(
        json -> {
          json.writeFieldName("value");
          JsonOut.writeItems(json, hits, SearchWriter::write);
          json.writeStringField("nextLink", nextLink.orElse(null));
          if (counts.isPresent()) {
            json.writeObjectFieldStart("counts");
            writeCounts(json, counts.get());
            json.writeEndObject();
          }
          if (total.isPresent()) {
            json.writeNumberField("total", total.get());
          }
          JsonOut.writeDamaged(json, damaged);
        });
  }

  /** Writes a page of results from all collections of a group. */
  public static byte[] groupPage(
      List<Hit> hits, List<DamagedJob> damaged, Optional<String> nextLink) {
    return JsonOut.object(
        json -> {
          json.writeFieldName("value");
          JsonOut.writeItems(json, hits, SearchWriter::writeNamed);
          json.writeStringField("nextLink", nextLink.orElse(null));
          JsonOut.writeDamaged(
              json, damaged, name -> name.collection().collection() + "/" + name.job());
        });
  }

  private static void write(JsonGenerator json, Hit hit) throws IOException {
    json.writeStartObject();
    writeFields(json, hit);
    json.writeEndObject();
  }

  /** Writes a job with its collection. */
  private static void writeNamed(JsonGenerator json, Hit hit) throws IOException {
    CollectionName collection = hit.job.name().collection();
    json.writeStartObject();
    json.writeStringField("subscription", collection.subscription());
    json.writeStringField("group", collection.group());
    json.writeStringField("collection", collection.collection());
    writeFields(json, hit);
    json.writeEndObject();
  }

  private static void writeFields(JsonGenerator json, Hit hit) throws IOException {
    StoredJob job = hit.job;
    json.writeFieldName("job");
    JobCodec.write(json, job, Dialect.NATIVE, hit.holds);
    json.writeStringField(
        "schedule",
        new JobForecast(
                job.definition(), job.created(), job.next(), job.occurrence(), Exclusions.NONE)
            .words());
    json.writeStringField("lastOutcome", hit.lastOutcome);
    if (hit.recent.isPresent()) {
      json.writeFieldName("recent");
      JsonOut.writeItems(json, hit.recent.get(), SearchWriter::write);
    }
  }

  private static void write(JsonGenerator json, HistoryEntry.Summary attempt) throws IOException {
    json.writeStartObject();
    json.writeStringField("startTime", Timestamps.format(attempt.start()));
    json.writeStringField("status", attempt.status().word());
    json.writeNumberField("durationMs", attempt.start().until(attempt.end(), ChronoUnit.MILLIS));
    json.writeEndObject();
  }

  /** Writes the number of jobs in each state into the current object. */
  public static void writeCounts(JsonGenerator json, Map<JobState, Long> counts)
      throws IOException {
    for (Map.Entry<JobState, Long> count : counts.entrySet()) {
      json.writeNumberField(count.getKey().word(), count.getValue());
    }
  }
}
