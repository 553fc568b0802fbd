package carillon.json.text;

import carillon.job.name.CollectionName;
import carillon.job.name.JobName;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Dialect of the API, which determines the spelling of its documents. All dialects have the same
 * model. The dialects of Azure are defined beside their routes.
 */
public record Dialect(Set<Switch> switches) {
  /** Carillon's native API: flat documents, lower-case words, unknown properties refused. */
  public static final Dialect NATIVE = Dialect.of(Switch.STRICT, Switch.EXTENSIONS, Switch.SECONDS);

  /** Stored form in Redis: the native words, compact, read without checks. */
  public static final Dialect STORED = Dialect.of(Switch.STORED_FORM, Switch.SECONDS);

  /** Difference between dialects. */
  public enum Switch {
    /** Unknown properties are refused, and all mistakes of a document are reported together. */
    STRICT,
    /** Shorthands, and properties and answers that Azure's service did not have. */
    EXTENSIONS,
    /** {@code frequency: second} is known. */
    SECONDS,
    /** A resource is wrapped in {@code id, type, name, properties}. */
    ENVELOPED,
    /** Types of actions and authentications begin with a capital letter. */
    CAPITAL_TYPES,
    /** Durations are time spans of .NET, such as {@code 00:01:00}. */
    TIME_SPANS,
    /** A list is a plain array, without links. */
    BARE_LISTS,
    /** A slash is escaped, as .NET's DataContract serializer does. */
    ESCAPED_SLASHES,
    /** Names of answered headers begin with a small letter. */
    CAMEL_HEADERS,
    /** A change must not contain the status. */
    NO_STATUS_IN_CHANGES,
    /** Defaults are omitted, secrets are written, and values are not checked again. */
    STORED_FORM
  }

  public Dialect {
    Set<Switch> copy = EnumSet.noneOf(Switch.class);
    copy.addAll(switches);
    switches = Collections.unmodifiableSet(copy);
  }

  /** Returns the dialect with these differences. */
  public static Dialect of(Switch... switches) {
    return new Dialect(Set.copyOf(List.of(switches)));
  }

  public boolean has(Switch difference) {
    return switches.contains(difference);
  }

  /** Whether this is the stored form. */
  public boolean isStored() {
    return has(Switch.STORED_FORM);
  }

  /**
   * Whether values are checked by the rules. Stored values obeyed them when they were submitted.
   */
  public boolean isChecked() {
    return !isStored();
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
