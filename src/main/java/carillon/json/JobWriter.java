package carillon.json;

import carillon.job.DamagedJob;
import carillon.job.JobState;
import carillon.job.StoredJob;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Writes jobs as one dialect answers them, compact and in the service's order of properties. */
public final class JobWriter {
  private final Dialect dialect;

  public JobWriter(Dialect dialect) {
    this.dialect = dialect;
  }

  /** One job. */
  public byte[] job(StoredJob job) {
    return JsonOut.of(dialect, json -> write(json, job));
  }

  /**
   * A page of jobs; a dialect with bare lists shows no link.
   *
   * @param damaged jobs that are left out, which a bare list does not show either
   */
  public byte[] page(List<StoredJob> jobs, List<DamagedJob> damaged, Optional<String> nextLink) {
    return JsonOut.of(
        dialect,
        json -> {
          if (dialect.hasBareLists()) {
            PageJson.writeItems(json, jobs, this::write);
          } else {
            PageJson.write(json, jobs, this::write, nextLink, damaged);
          }
        });
  }

  void write(JsonGenerator json, StoredJob job) throws IOException {
    json.writeStartObject();
    if (dialect.isEnveloped()) {
      json.writeStringField("id", ResourceId.of(job.name()));
      json.writeStringField("type", ResourceId.JOB_TYPE);
      json.writeStringField("name", job.name().collection().collection() + "/" + job.name().job());
      json.writeObjectFieldStart("properties");
      writeProperties(json, job);
      json.writeEndObject();
    } else {
      json.writeStringField("id", job.name().job());
      writeProperties(json, job);
    }
    json.writeEndObject();
  }

  private void writeProperties(JsonGenerator json, StoredJob job) throws IOException {
    DefinitionWriter.writeFields(json, job.definition(), dialect);
    json.writeStringField("state", job.state().word());
    if (job.state() != JobState.DISABLED || hasRun(job)) {
      writeStatus(json, job);
    }
  }

  private static boolean hasRun(StoredJob job) {
    return job.last().isPresent() || job.counters().executions() > 0;
  }

  private static void writeStatus(JsonGenerator json, StoredJob job) throws IOException {
    json.writeObjectFieldStart("status");
    DefinitionWriter.writeInstant(json, "lastExecutionTime", job.last());
    DefinitionWriter.writeInstant(json, "nextExecutionTime", job.next());
    json.writeNumberField("executionCount", job.counters().executions());
    json.writeNumberField("failureCount", job.counters().failures());
    json.writeNumberField("faultedCount", job.counters().faulted());
    json.writeEndObject();
  }
}
