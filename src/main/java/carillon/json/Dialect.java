package carillon.json;

import carillon.job.name.CollectionName;
import carillon.job.name.JobName;

/**
 * Dialect of the API, which determines the spelling of its documents. All dialects have the same
 * model.
 */
public enum Dialect {
  /** Carillon's native API: flat documents, lower-case words, unknown properties refused. */
  NATIVE,
  /** Azure Resource Manager: enveloped documents as the retired service had them. */
  ARM,
  /**
   * The earlier service management API: flat jobs in JSON, bare arrays as lists. Its XML has
   * separate readers and writers.
   */
  CLASSIC,
  /** Stored form in Redis: the native words, compact, read without checks. */
  STORED;

  /** Whether an unknown property is refused rather than ignored. */
  boolean refusesUnknown() {
    return this == NATIVE;
  }

  /**
   * Whether values are checked by the rules. Stored values obeyed them when they were submitted.
   */
  boolean isChecked() {
    return this != STORED;
  }

  /** Whether the dialect has {@code frequency: second}. */
  boolean hasSeconds() {
    return this != ARM;
  }

  /** Whether a list is a plain array. */
  boolean hasBareLists() {
    return this == CLASSIC;
  }

  /** Whether a resource is wrapped in {@code id, type, name, properties}. */
  boolean isEnveloped() {
    return this == ARM;
  }

  /**
   * Returns the codecs of the dialect, with these limits and this policy for the targets of jobs.
   */
  public DialectCodec codecs(SubmissionLimits limits, TargetPolicy targets) {
    return new DialectCodec(
        new JobCodec(this, limits, targets), new CollectionCodec(this), new HistoryCodec(this));
  }

  /**
   * The codecs of one dialect.
   *
   * @param jobs see {@link JobCodec}
   * @param collections see {@link CollectionCodec}
   * @param history see {@link HistoryCodec}
   */
  public record DialectCodec(JobCodec jobs, CollectionCodec collections, HistoryCodec history) {}

  /** The ids that Azure Resource Manager gives to resources. */
  static final class ResourceId {
    static final String COLLECTION_TYPE = "Microsoft.Scheduler/jobCollections";
    static final String JOB_TYPE = COLLECTION_TYPE + "/jobs";
    static final String HISTORY_TYPE = JOB_TYPE + "/history";

    private ResourceId() {}

    static String of(CollectionName name) {
      return "/subscriptions/"
          + name.subscription()
          + "/resourceGroups/"
          + name.group()
          + "/providers/"
          + COLLECTION_TYPE
          + "/"
          + name.collection();
    }

    static String of(JobName name) {
      return of(name.collection()) + "/jobs/" + name.job();
    }
  }
}
