package carillon.redis;

import carillon.job.name.CollectionName;
import carillon.job.name.JobName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Names of all Redis keys: no other code writes one down. {@code {17}} is the hash tag of partition
 * 17. So a partition lives in one Cluster slot, and a script stays in one partition. Thread-safe.
 */
public final class Keys {
  /** Partition number of keys without a partition. */
  public static final int NO_PARTITION = -1;

  private static final String JOB_END = "}:job:";
  private static final String COLLECTION = ":collection:";
  private static final String DAMAGED = ":damaged:";
  private static final String NATIVE_GROUP = "default/default/";

  private final String prefix;

  /** Prefixes of the keys of each partition. */
  private final List<String> slots;

  /**
   * The names for a Redis.
   *
   * @param prefix of every key, {@code carillon} unless configured
   * @param partitions number of partitions, fixed at the first start
   */
  public Keys(String prefix, int partitions) {
    this.prefix = prefix;
    this.slots =
        IntStream.range(0, partitions)
            .mapToObj(partition -> prefix + ":{" + partition + "}:")
            .toList();
  }

  public String prefix() {
    return prefix;
  }

  public int partitions() {
    return slots.size();
  }

  @Override
  public String toString() {
    return prefix + " in " + partitions() + " partitions";
  }

  public String meta() {
    return prefix + ":meta";
  }

  public String nodes() {
    return prefix + ":nodes";
  }

  /** Nodes without partitions. */
  public String idleNodes() {
    return prefix + ":idle";
  }

  public String node(String id) {
    return prefix + ":node:" + id;
  }

  /** The process that has this node id; in the Cluster slot of the list of nodes. */
  public String owner(String id) {
    return prefix + ":owner:{" + nodes() + "}:" + id;
  }

  /** Disabled markers of all collections that are disabled or were recently. */
  public String gates() {
    return prefix + ":gates";
  }

  /** Pauses of groups and of everything. */
  public String pauses() {
    return prefix + ":pauses";
  }

  /** Disabled markers that the claims of one partition use. */
  public String gates(int partition) {
    return slot(partition) + "gates";
  }

  /** Collections whose disabled marker is being set. */
  public String gateChanges() {
    return prefix + ":gatechanges";
  }

  /** Notices of changes that all nodes must know immediately. */
  public String notices() {
    return prefix + ":notices";
  }

  public String collections(String subscription) {
    return prefix + ":collections:" + subscription;
  }

  public String cloudServices(String subscription) {
    return prefix + ":cloudservices:" + subscription;
  }

  public String collection(CollectionName name) {
    return prefix + COLLECTION + name.key();
  }

  /** Definitions of all calendars. */
  public String calendars() {
    return prefix + ":calendars";
  }

  /** Calendars with a change that next occurrences do not follow yet. */
  public String calendarChanges() {
    return prefix + ":calendarchanges";
  }

  /** Definitions of all flows. */
  public String flows() {
    return prefix + ":flows";
  }

  /**
   * State of a flow: calls in flight, and the remaining limits.
   *
   * @param flow its key
   */
  public String flow(String flow) {
    return prefix + ":flow:" + flow;
  }

  /** Log of a flow, the newest entry first. */
  public String flowLog(String flow) {
    return prefix + ":flow-log:" + flow;
  }

  /** API keys, in one slot with what belongs to them. */
  public String apiKeys() {
    return prefix + ":{access}:keys";
  }

  public String apiClients() {
    return prefix + ":{access}:clients";
  }

  public String apiKeysLastUsed() {
    return prefix + ":{access}:lastused";
  }

  /** Live events of attempts that end. */
  public String live() {
    return prefix + ":live";
  }

  /** Key that exists while somebody is subscribed to the live events. */
  public String liveSubscribed() {
    return prefix + ":live:subscribed";
  }

  /** The activity of all nodes in a minute. */
  public String activity(Instant minute) {
    return prefix + ":activity:" + minute;
  }

  /** Activity of all nodes at each destination in a minute. */
  public String destinations(Instant minute) {
    return prefix + ":destinations:" + minute;
  }

  /** Sessions that were opened with an API key, or by a person. */
  public String sessions(String owner) {
    return prefix + ":{access}:sessions:" + owner;
  }

  /** Epochs of deleted collections, until their remains are removed. */
  public String cleanup() {
    return prefix + ":cleanup";
  }

  /** Entries of a quota, in the Cluster slot of the collection's own key. */
  public String quota(CollectionName name) {
    return prefix + ":quota:{" + collection(name) + "}";
  }

  /** Audit log of jobs of this partition; of all else with {@link #NO_PARTITION}. */
  public String audit(int partition) {
    return partition == NO_PARTITION ? audit() : slot(partition) + "audit";
  }

  /** Log of attempts of this partition that failed, were slow or recovered, or of all. */
  public String outcomes(int partition) {
    return slot(partition) + "outcomes";
  }

  /** Audit log of everything but jobs. */
  public String audit() {
    return prefix + ":audit";
  }

  public String epochs(int partition) {
    return slot(partition) + "epochs";
  }

  /** The former index of a collection that was deleted in this epoch. */
  public String deletedJobs(int partition, String collection, long epoch) {
    return slot(partition) + "deleted:" + collection + "@" + epoch;
  }

  public String due(int partition) {
    return slot(partition) + "due";
  }

  /** Finished jobs, in the order in which they ended. */
  public String finished(int partition) {
    return slot(partition) + "finished";
  }

  public String claims(int partition, String node) {
    return slot(partition) + "claims:" + node;
  }

  public String quarantine(int partition) {
    return slot(partition) + "quarantine";
  }

  /**
   * Jobs of a partition that name a calendar.
   *
   * @param calendar its key
   */
  public String calendarUses(int partition, String calendar) {
    return slot(partition) + "uses:" + calendar;
  }

  /**
   * Waiting list of a partition.
   *
   * @param list its name: {@code flow:<lane>}, {@code collection:<marker>} or {@code execution}
   */
  public String list(int partition, String list) {
    return slot(partition) + "list:" + list;
  }

  /**
   * Index of the entries of {@code due} that wait for a place at a destination. It owns nothing.
   *
   * @param authority of the destination
   */
  public String deferred(int partition, String authority) {
    return slot(partition) + "deferred:" + authority;
  }

  /** Destinations with such an index in a partition. */
  public String deferrals(int partition) {
    return slot(partition) + "deferrals";
  }

  /** Waiting lists of flows and collections that have attempts. */
  public String lists(int partition) {
    return slot(partition) + "lists";
  }

  /** Executions of a job that must not overlap, and have not ended. */
  public String executions(int partition, String job) {
    return slot(partition) + "executions:" + job;
  }

  /** Prefix that the job's key completes. */
  public String jobPrefix(int partition) {
    return slot(partition) + "job:";
  }

  public String job(int partition, String job) {
    return slot(partition) + "job:" + job;
  }

  /** The index of this collection's jobs, in one partition. */
  public String jobs(int partition, String collection) {
    return slot(partition) + "jobs:" + collection;
  }

  /** Prefix that the job's key completes. */
  public String historyPrefix(int partition) {
    return slot(partition) + "history:";
  }

  public String history(int partition, String job) {
    return slot(partition) + "history:" + job;
  }

  /** Returns the key to which damaged content of a key is renamed, in the same slot. */
  public String damaged(String key) {
    return key.contains("{")
        ? prefix + DAMAGED + key.substring(prefix.length() + 1)
        : prefix + DAMAGED + "{" + key + "}";
  }

  /**
   * Queue that jobs of a collection fill and consumers empty. Its key is unique to the collection,
   * because no name has a slash or a brace. No configured prefix ends like the prefix of this key,
   * so it conflicts with no key of another Carillon.
   *
   * @param collection its key
   */
  public String queue(String collection, String name) {
    return queues(collection) + "/" + name;
  }

  /** The executions that added to a queue, in its hash slot. */
  public String queueAdded(String collection, String name) {
    return queues(collection) + ":added:" + name;
  }

  /** The lengths that jobs allow a queue, in its hash slot. */
  public String queueMaxLengths(String collection, String name) {
    return queues(collection) + ":maxlengths:" + name;
  }

  /** The sizes of the queues of a collection, in their hash slot. */
  public String queueSizes(String collection) {
    return queues(collection) + ":sizes";
  }

  /**
   * Returns the prefix of the queues of a collection. A collection of the native API has its short
   * name there, any other its full one.
   */
  private String queues(String collection) {
    String name =
        collection.startsWith(NATIVE_GROUP)
            ? collection.substring(NATIVE_GROUP.length())
            : collection;
    return prefix + "-queue:{" + name + "}";
  }

  /** The partition that a job lives in. */
  public int partition(String job) {
    return JobName.partition(job, partitions());
  }

  /** The key of the job whose hash has this name; empty for any other. */
  public Optional<String> ownerOfJob(String name) {
    String begin = prefix + ":{";
    int end = name.indexOf(JOB_END);
    return name.startsWith(begin) && end > 0
        ? Optional.of(name.substring(end + JOB_END.length()))
        : Optional.empty();
  }

  /** The key of the collection whose hash has this name; empty for any other. */
  public Optional<String> ownerOfCollection(String name) {
    String begin = prefix + COLLECTION;
    return name.startsWith(begin) ? Optional.of(name.substring(begin.length())) : Optional.empty();
  }

  /** Parses a key; empty for any that is none of these. */
  public Optional<ParsedKey> parse(String key) {
    return key.startsWith(prefix + ":")
        ? ParsedKey.parse(key.substring(prefix.length() + 1))
        : Optional.empty();
  }

  /** Returns the prefix of the keys of a partition, {@code carillon:{17}:}. */
  public String slot(int partition) {
    return slots.get(partition);
  }
}
