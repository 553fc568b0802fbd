package carillon.store.resource;

import carillon.job.Precondition;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.job.name.NameRules;
import carillon.job.name.Quoted;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Store of the named resources of one kind. All are in one hash, which every node reads as a whole,
 * because there are few of them. Names are {@code sub/group/resource}. Every future may fail with
 * {@link ErrorCode#STORE_UNAVAILABLE}. Confined to the event loop of its link.
 */
public final class ResourceStore {
  /** Maximum number of resources of a kind in a subscription. */
  public static final int MAX = 1000;

  private static final Script<PutResourceReply> PUT =
      Script.returning("put_resource", PutResourceReply::of);
  private static final Script<Deleted> DELETE = Script.returning("delete_resource", Deleted::of);

  /** Field of the hash with its revision. It is no name of a resource, because it has no slash. */
  public static final String REVISION = "revision";

  private final RedisLink link;
  private final String hash;
  private final String kind;
  private final int maxOfGroup;
  private final ErrorCode damaged;

  /**
   * Creates a store of one kind.
   *
   * @param hash key of the hash
   * @param kind name of the kind in messages to clients, in lower case
   * @param maxOfGroup maximum number of resources in a group
   * @param damaged code of the failure for one that cannot be read
   */
  public ResourceStore(
      RedisLink link, String hash, String kind, int maxOfGroup, ErrorCode damaged) {
    this.link = link;
    this.hash = hash;
    this.kind = kind;
    this.maxOfGroup = maxOfGroup;
    this.damaged = damaged;
  }

  /**
   * A stored resource.
   *
   * @param name name in its original case
   * @param definition JSON
   */
  public record Resource(
      String name, String definition, long revision, Instant created, Instant modified) {
    private static final int WORDS = 5;

    /**
     * Parses the resource of a key.
     *
     * @throws RuntimeException with the name of the first part that cannot be read
     */
    private static Resource read(String key, String record) {
      String[] words = record.split(" ", WORDS);
      if (words.length < WORDS) {
        throw new IllegalStateException(
            "its record '"
                + Quoted.of(record)
                + "' is not '<revision> <created> <modified> <name> <definition>'");
      }
      return new Resource(
          parsed("name", words[3], text -> name(key, text)),
          words[4],
          parsed("revision", words[0], Resource::revision),
          parsed("created", words[1], Instant::parse),
          parsed("modified", words[2], Instant::parse));
    }

    private static long revision(String text) {
      long revision = Long.parseLong(text);
      if (revision < 0) {
        throw new IllegalArgumentException("less than 0");
      }
      return revision;
    }

    private static String name(String key, String stored) {
      if (!NameRules.fold(stored).equals(key)) {
        throw new IllegalArgumentException("another name");
      }
      return stored;
    }

    private static <T> T parsed(String part, String text, Function<String, T> parser) {
      try {
        return parser.apply(text);
      } catch (RuntimeException e) {
        throw new IllegalStateException(Quoted.field(part, text), e);
      }
    }

    /** Returns the result of a reader of the definition. Its failure names the definition. */
    private <T> T read(Function<Resource, T> reader) {
      try {
        return reader.apply(this);
      } catch (RuntimeException e) {
        throw new IllegalStateException(
            "its field 'definition': " + Quoted.of(String.valueOf(e.getMessage())), e);
      }
    }
  }

  /**
   * A resource, or the reason why it cannot be read.
   *
   * @param key key of the resource
   * @param resource the resource, unless it is damaged
   * @param damaged the reason if it is damaged
   */
  public record FoundResource<T>(String key, Optional<T> resource, Optional<String> damaged) {
    private static <T> FoundResource<T> reading(String key, Supplier<T> reading) {
      try {
        return new FoundResource<>(key, Optional.of(reading.get()), Optional.empty());
      } catch (RuntimeException e) {
        return new FoundResource<>(
            key, Optional.empty(), Optional.of(String.valueOf(e.getMessage())));
      }
    }

    /** Parses a record of the hash. */
    public static FoundResource<Resource> of(String key, String record) {
      return reading(key, () -> Resource.read(key, record));
    }

    /** Parses the definition of a resource. */
    public static <T> FoundResource<T> of(
        FoundResource<Resource> stored, Function<Resource, T> reader) {
      return stored.resource.isEmpty()
          ? new FoundResource<>(stored.key, Optional.empty(), stored.damaged)
          : reading(stored.key, () -> stored.resource.get().read(reader));
    }
  }

  /**
   * A completed write.
   *
   * @param created false if it replaced a resource
   * @param before the replaced resource; empty for a new resource or after a damaged one
   */
  public record Put(Resource resource, boolean created, Optional<Resource> before) {}

  /** Reply of put_resource. */
  private record PutResourceReply(Word word, String record, String before) {
    private enum Word {
      CREATED,
      REPLACED,
      REFUSED,
      FULL,
      GROUP_FULL
    }

    static PutResourceReply of(Response reply) {
      return new PutResourceReply(
          Script.word(Word.class, reply.get(0)), reply.get(1).toString(), reply.get(2).toString());
    }
  }

  /** Reply of delete_resource. */
  private record Deleted(DeletionWord fate, String before) {
    private enum DeletionWord {
      DELETED,
      MISSING,
      REFUSED
    }

    static Deleted of(Response reply) {
      return new Deleted(Script.word(DeletionWord.class, reply.get(0)), reply.get(1).toString());
    }
  }

  /**
   * Creates or replaces a resource. Fails with {@link ErrorCode#PRECONDITION_FAILED}, and with
   * {@link ErrorCode#CONFLICT} if its group or subscription has too many.
   */
  public Future<Put> put(String name, String definition, Precondition condition, Instant now) {
    String key = NameRules.fold(name);
    return PUT.on(link)
        .key("resources", hash)
        .arg("condition", condition.argument())
        .arg("now", now.toEpochMilli())
        .iso("now", now)
        .arg("key", key)
        .arg("name", name)
        .arg("definition", definition)
        .arg("max", MAX)
        .arg("max_of_group", maxOfGroup)
        .run()
        .map(
            written ->
                switch (written.word) {
                  case CREATED ->
                      new Put(Resource.read(key, written.record), true, Optional.empty());
                  case REPLACED ->
                      new Put(
                          Resource.read(key, written.record),
                          false,
                          FoundResource.of(key, written.before).resource);
                  case REFUSED -> throw conditionFailed(name);
                  case FULL ->
                      throw new JobException(
                          ErrorCode.CONFLICT,
                          "The subscription has " + MAX + " " + kind + "s already.");
                  case GROUP_FULL ->
                      throw new JobException(
                          ErrorCode.CONFLICT,
                          "The group has "
                              + maxOfGroup
                              + " "
                              + kind
                              + "s already, as many as groups."
                              + kind
                              + "s allows.");
                });
  }

  /**
   * Deletes a resource.
   *
   * @return the deleted resource; empty if there was none; fails with {@link
   *     ErrorCode#PRECONDITION_FAILED}
   */
  public Future<Optional<FoundResource<Resource>>> delete(
      String name, Precondition condition, Instant now) {
    String key = NameRules.fold(name);
    return DELETE
        .on(link)
        .key("resources", hash)
        .arg("condition", condition.argument())
        .arg("key", key)
        .arg("now", now.toEpochMilli())
        .run()
        .map(
            deleted ->
                switch (deleted.fate) {
                  case MISSING -> Optional.empty();
                  case REFUSED -> throw conditionFailed(name);
                  case DELETED -> Optional.of(FoundResource.of(key, deleted.before));
                });
  }

  private JobException conditionFailed(String name) {
    return new JobException(
        ErrorCode.PRECONDITION_FAILED,
        quoted(name) + " is not in the state that If-Match or If-None-Match asks for.");
  }

  /** Returns the failure for a missing resource. */
  public JobException notFound(String name) {
    return new JobException(ErrorCode.JOB_NOT_FOUND, quoted(name) + " was not found.");
  }

  private String quoted(String name) {
    String last = name.substring(name.lastIndexOf('/') + 1);
    return kind.substring(0, 1).toUpperCase(Locale.ROOT)
        + kind.substring(1)
        + " '"
        + Quoted.of(last)
        + "'";
  }

  /**
   * Returns the resource with this name, or the reason why it cannot be read; empty if there is
   * none.
   */
  public Future<Optional<FoundResource<Resource>>> find(String name) {
    String key = NameRules.fold(name);
    return link.send(Request.cmd(Command.HGET).arg(hash).arg(key))
        .map(
            stored ->
                Optional.ofNullable(stored).map(text -> FoundResource.of(key, text.toString())));
  }

  /**
   * Returns the resource. Fails with the code of damaged resources of this kind if it cannot be
   * read.
   */
  public <T> T readable(FoundResource<T> found) {
    return found.resource.orElseThrow(
        () ->
            new JobException(
                damaged,
                quoted(found.key)
                    + " is damaged in Redis: "
                    + found.damaged.orElseThrow()
                    + ". PUT it anew or DELETE it."));
  }

  /**
   * Returns a number that rises with every change of any resource; 0 before the first one. Fails
   * with {@link ErrorCode#STORE_DAMAGED} if it cannot be read.
   */
  public Future<Long> revision() {
    return link.send(Request.cmd(Command.HGET).arg(hash).arg(REVISION))
        .map(number -> number == null ? 0 : revision(number.toString()));
  }

  private long revision(String stored) {
    try {
      return Long.parseLong(stored);
    } catch (NumberFormatException e) {
      throw new JobException(
          ErrorCode.STORE_DAMAGED,
          "Redis: the key '"
              + hash
              + "' is damaged: "
              + Quoted.field(REVISION, stored)
              + ". PUT any "
              + kind
              + " anew.");
    }
  }

  /** Returns all resources by their names in lower case. Reads them in bounded slices. */
  public Future<NavigableMap<String, FoundResource<Resource>>> all() {
    return link.entries(hash)
        .map(
            entries -> {
              NavigableMap<String, FoundResource<Resource>> found = new TreeMap<>();
              entries.forEach(
                  (name, stored) -> {
                    if (!name.equals(REVISION)) {
                      found.put(name, FoundResource.of(name, stored));
                    }
                  });
              return found;
            });
  }
}
