package carillon.store.collection;

import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.JobCollection;
import carillon.job.name.CollectionName;
import carillon.job.name.Quoted;
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
   * Returns the collection.
   *
   * @throws IllegalStateException with the name of the first field that cannot be read
   */
  JobCollection read(CollectionName named) {
    // Not parts of the collection, but a collection with unreadable limits or jobs is damaged.
    epoch();
    number("maxJobs");
    return new JobCollection(
        parsed("name", text -> name(named, text)),
        definition(),
        parsed("revision", CollectionHash::count),
        parsed("created", Instant::parse),
        parsed("modified", Instant::parse));
  }

  /** Parses the definition. The failure does not show its content, which may be secret. */
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

  /** Returns the epoch, see {@link CollectionStore.CollectionRules}. */
  long epoch() {
    return number("epoch");
  }

  private long number(String field) {
    return hash.get(field) == null ? 0 : parsed(field, CollectionHash::count);
  }

  /** Parses a number that scripts can count exactly: 0 or more. */
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
