package carillon.store.collection;

import carillon.job.CollectionName;
import carillon.job.Quoted;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.JobCollection;
import carillon.json.StoredJson;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Function;

/** Reader of a collection's hash in Redis. */
final class CollectionHash {
  private static final long MAX_COUNT = 999_999_999_999_999L;

  private final Response hash;

  CollectionHash(Response hash) {
    this.hash = hash;
  }

  boolean isThere() {
    return hash.get("definition") != null && hash.get("deletedAt") == null;
  }

  /**
   * The collection.
   *
   * @throws IllegalStateException which names the first field that cannot be read
   */
  JobCollection read(CollectionName named) {
    // Not parts of the collection, but one with limits or jobs that cannot be read is damaged.
    epoch();
    number("maxJobs");
    return new JobCollection(
        parsed("name", text -> name(named, text)),
        definition(),
        parsed("revision", CollectionHash::count),
        parsed("created", Instant::parse),
        parsed("modified", Instant::parse));
  }

  /** What it holds may be secret, and is not told. */
  private CollectionDefinition definition() {
    try {
      return StoredJson.readCollection(hash.get("definition").toString());
    } catch (RuntimeException e) {
      throw new IllegalStateException(
          "its field 'definition': " + Quoted.of(String.valueOf(e.getMessage())), e);
    }
  }

  private static CollectionName name(CollectionName named, String stored) {
    CollectionName name = CollectionName.parse(stored);
    if (!name.key().equals(named.key())) {
      throw new IllegalArgumentException("another name");
    }
    return name;
  }

  /** See {@link CollectionStore.CollectionRules}. */
  long epoch() {
    return number("epoch");
  }

  private long number(String field) {
    return hash.get(field) == null ? 0 : parsed(field, CollectionHash::count);
  }

  /** A number as scripts count it: from 0 on, and exactly. */
  static long count(String text) {
    long count = Long.parseLong(text);
    if (count < 0 || count > MAX_COUNT) {
      throw new IllegalArgumentException("no count");
    }
    return count;
  }

  private <T> T parsed(String field, Function<String, T> parser) {
    String value = Objects.toString(hash.get(field), null);
    if (value == null) {
      throw new IllegalStateException("its hash has no field '" + field + "'");
    }
    try {
      return parser.apply(value);
    } catch (RuntimeException e) {
      throw new IllegalStateException(Quoted.field(field, value), e);
    }
  }
}
