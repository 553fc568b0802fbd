package carillon.store;

import carillon.codec.StoredForm;
import carillon.job.CollectionName;
import carillon.job.JobName;
import carillon.job.JobState;
import carillon.job.StoredJob;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.Optional;

/** Reads the hash of a job. Counters that are zero are not stored. */
final class JobHash {
  private final Response hash;

  JobHash(Response hash) {
    this.hash = hash;
  }

  boolean isMissing() {
    return hash == null || hash.size() == 0 || hash.get("revision") == null;
  }

  StoredJob read(CollectionName collection) {
    Instant created = Instant.parse(text("created"));
    return new StoredJob(
        new JobName(collection, text("name").substring(text("name").indexOf('/') + 1)),
        StoredForm.readJob(text("definition")),
        JobState.ofWord(text("state")),
        Long.parseLong(text("revision")),
        instant("next"),
        instant("last"),
        Math.max(1, (int) number("occurrence")),
        new StoredJob.Counters(
            number("executions"), number("failures"), number("faulted"), number("skipped")),
        created,
        instant("modified").orElse(created));
  }

  /** Of the collection when the job was written; meaningful unless missing. */
  long epoch() {
    return number("epoch");
  }

  private Optional<Instant> instant(String field) {
    return Optional.ofNullable(hash.get(field)).map(value -> Instant.parse(value.toString()));
  }

  private long number(String field) {
    Response value = hash.get(field);
    return value == null ? 0 : value.toLong();
  }

  private String text(String field) {
    return hash.get(field).toString();
  }
}
