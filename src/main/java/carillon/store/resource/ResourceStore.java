package carillon.store.resource;

import carillon.job.ErrorCode;
import carillon.job.JobException;
import carillon.job.NameRules;
import carillon.job.Precondition;
import carillon.job.Quoted;
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

/**
 * Store of the named resources of one kind, all in one hash, which every node reads as a whole:
 * there are few of them. Names are {@code sub/group/resource}. Every future may fail with {@link
 * ErrorCode#STORE_UNAVAILABLE}. Confined to the event loop of its link.
 */
public final class ResourceStore {
  /** Most resources of a kind in a subscription. */
  public static final int MAX = 1000;

  private static final Script<PutResourceReply> PUT =
      Script.returning("put_resource", PutResourceReply::of);
  private static final Script<Deleted> DELETE = Script.returning("delete_resource", Deleted::of);

  /** Field of the hash that no resource can have, as it has no slash. */
  private static final String REVISION = "revision";

  private final RedisLink link;
  private final String hash;
  private final String kind;

  /**
   * A store of one kind.
   *
   * @param hash the key that holds them
   * @param kind as messages to clients call one of them, in lower case
   */
  public ResourceStore(RedisLink link, String hash, String kind) {
    this.link = link;
    this.hash = hash;
    this.kind = kind;
  }

  /**
   * A resource as it is stored.
   *
   * @param name in the case it was given first
   * @param definition JSON
   */
  public record Resource(
      String name, String definition, long revision, Instant created, Instant modified) {
    private static Resource read(String record) {
      String[] words = record.split(" ", 5);
      return new Resource(
          words[3],
          words[4],
          Long.parseLong(words[0]),
          Instant.parse(words[1]),
          Instant.parse(words[2]));
    }
  }

  /**
   * A write that was made.
   *
   * @param before what it replaced; empty when it made a resource
   */
  public record Put(Resource resource, Optional<Resource> before) {}

  /** Reply of put_resource. */
  private record PutResourceReply(Word word, String record, String before) {
    private enum Word {
      CREATED,
      REPLACED,
      REFUSED,
      FULL
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
   * {@link ErrorCode#CONFLICT} when its subscription has too many.
   */
  public Future<Put> put(String name, String definition, Precondition condition, Instant now) {
    return PUT.on(link)
        .key("resources", hash)
        .arg("condition", condition.argument())
        .arg("now", now.toEpochMilli())
        .iso("now", now)
        .arg("key", NameRules.fold(name))
        .arg("name", name)
        .arg("definition", definition)
        .arg("max", MAX)
        .run()
        .map(
            written ->
                switch (written.word) {
                  case CREATED -> new Put(Resource.read(written.record), Optional.empty());
                  case REPLACED ->
                      new Put(
                          Resource.read(written.record),
                          Optional.of(Resource.read(written.before)));
                  case REFUSED -> throw conditionFailed(name);
                  case FULL ->
                      throw new JobException(
                          ErrorCode.CONFLICT,
                          "The subscription has " + MAX + " " + kind + "s already.");
                });
  }

  /**
   * Deletes a resource.
   *
   * @return what was deleted; empty when there was none. Fails with {@link
   *     ErrorCode#PRECONDITION_FAILED}
   */
  public Future<Optional<Resource>> delete(String name, Precondition condition) {
    return DELETE
        .on(link)
        .key("resources", hash)
        .arg("condition", condition.argument())
        .arg("key", NameRules.fold(name))
        .run()
        .map(
            deleted ->
                switch (deleted.fate) {
                  case MISSING -> Optional.empty();
                  case REFUSED -> throw conditionFailed(name);
                  case DELETED -> Optional.of(Resource.read(deleted.before));
                });
  }

  private JobException conditionFailed(String name) {
    return new JobException(
        ErrorCode.PRECONDITION_FAILED,
        quoted(name) + " is not in the state that If-Match or If-None-Match asks for.");
  }

  /** The refusal for a resource that is not there. */
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

  /** The resource of this name, if there is one. */
  public Future<Optional<Resource>> find(String name) {
    return link.send(Request.cmd(Command.HGET).arg(hash).arg(NameRules.fold(name)))
        .map(stored -> Optional.ofNullable(stored).map(text -> Resource.read(text.toString())));
  }

  /** A number that every change of any resource raises; 0 where there has never been one. */
  public Future<Long> revision() {
    return link.send(Request.cmd(Command.HGET).arg(hash).arg(REVISION))
        .map(number -> number == null ? 0 : number.toLong());
  }

  /** All resources by their names in lower case, read in bounded slices. */
  public Future<NavigableMap<String, Resource>> all() {
    return link.entries(hash)
        .map(
            entries -> {
              NavigableMap<String, Resource> found = new TreeMap<>();
              entries.forEach(
                  (name, stored) -> {
                    if (!name.equals(REVISION)) {
                      found.put(name, Resource.read(stored));
                    }
                  });
              return found;
            });
  }
}
