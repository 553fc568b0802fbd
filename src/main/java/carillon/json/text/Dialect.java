package carillon.json.text;

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
  public boolean refusesUnknown() {
    return this == NATIVE;
  }

  /**
   * Whether values are checked by the rules. Stored values obeyed them when they were submitted.
   */
  public boolean isChecked() {
    return this != STORED;
  }

  /** Whether the dialect has {@code frequency: second}. */
  public boolean hasSeconds() {
    return this != ARM;
  }

  /** Whether a list is a plain array. */
  public boolean hasBareLists() {
    return this == CLASSIC;
  }

  /** Whether a resource is wrapped in {@code id, type, name, properties}. */
  public boolean isEnveloped() {
    return this == ARM;
  }

  /** The ids that Azure Resource Manager gives to resources. */
  public static final class ResourceId {
    public static final String COLLECTION_TYPE = "Microsoft.Scheduler/jobCollections";
    public static final String JOB_TYPE = COLLECTION_TYPE + "/jobs";
    public static final String HISTORY_TYPE = JOB_TYPE + "/history";

    private ResourceId() {}

    public static String of(CollectionName name) {
      return "/subscriptions/"
          + name.subscription()
          + "/resourceGroups/"
          + name.group()
          + "/providers/"
          + COLLECTION_TYPE
          + "/"
          + name.collection();
    }

    public static String of(JobName name) {
      return of(name.collection()) + "/jobs/" + name.job();
    }
  }
}
