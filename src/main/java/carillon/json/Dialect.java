package carillon.json;

import carillon.job.CollectionName;
import carillon.job.JobName;

/** Dialect of the API: how its documents are spelled. The model behind all dialects is the same. */
public enum Dialect {
  /** Carillon's own API: flat documents, lower-case words, unknown properties refused. */
  NATIVE,
  /** Azure Resource Manager: enveloped documents as the retired service had them. */
  ARM,
  /**
   * The service management API that came before it: flat jobs in JSON, bare arrays as lists. What
   * it writes in XML has readers and writers of its own.
   */
  CLASSIC,
  /** What Redis holds: the native words, compact, read without checks. */
  STORED;

  /** Strict: an unknown property is refused rather than ignored. */
  boolean refusesUnknown() {
    return this == NATIVE;
  }

  /** Checked: what is read must obey the rules. What was stored obeyed them when it came in. */
  boolean isChecked() {
    return this != STORED;
  }

  /** Whether {@code frequency: second} is spoken. */
  boolean hasSeconds() {
    return this != ARM;
  }

  /** Whether a list is an array and nothing else. */
  boolean hasBareLists() {
    return this == CLASSIC;
  }

  /** Whether the resource is wrapped in {@code id, type, name, properties}. */
  boolean isEnveloped() {
    return this == ARM;
  }

  /** The codecs that speak the dialect within the limits, about jobs that call what they may. */
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
