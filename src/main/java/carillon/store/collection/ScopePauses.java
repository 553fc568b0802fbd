package carillon.store.collection;

import carillon.job.Pause;
import carillon.job.collection.PauseScope;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.json.StoredJson;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.route.RedisErrors;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Store of the pauses of groups and of everything. A pause is one entry in {@code carillon:pauses},
 * and nodes use its {@linkplain DisabledMarkers marker}. Collections and jobs are not written.
 * Confined to the event loop of its link.
 */
public final class ScopePauses {
  private static final int MAX_TRIES = 10;
  private static final Pattern REVISION = Pattern.compile("[1-9][0-9]{0,17}");

  private final RedisLink link;
  private final Keys keys;
  private final DisabledMarkers markers;
  private final InstantSource clock;

  public ScopePauses(RedisLink link, Keys keys, DisabledMarkers markers, InstantSource clock) {
    this.clock = clock;
    this.link = link;
    this.keys = keys;
    this.markers = markers;
  }

  /**
   * Stored state of a scope.
   *
   * @param revision rises with every change; 0 if it is unreadable
   * @param pause empty after the scope was resumed; {@link Pause#DAMAGED} if it is unreadable
   */
  record StoredPause(long revision, Optional<Pause> pause) {
    private static final StoredPause DAMAGED = new StoredPause(0, Optional.of(Pause.DAMAGED));

    static StoredPause read(String text) {
      String[] parts = text.split(" ", 2);
      if (!REVISION.matcher(parts[0]).matches()) {
        return DAMAGED;
      }
      try {
        return new StoredPause(
            Long.parseLong(parts[0]),
            parts.length < 2 ? Optional.empty() : Optional.of(StoredJson.readPause(parts[1])));
      } catch (IllegalStateException | NoSuchElementException e) {
        return DAMAGED;
      }
    }

    String text() {
      return revision + pause.map(one -> " " + StoredJson.write(one)).orElse("");
    }
  }

  /** A change of a pause. */
  public record PauseChange(Optional<Pause> before, Optional<Pause> after) {}

  /** Returns the pause of a scope, which may be planned. */
  public Future<Optional<Pause>> find(PauseScope scope) {
    return link.send(Request.cmd(Command.HGET).arg(keys.pauses()).arg(scope.key()))
        .map(
            stored ->
                Optional.ofNullable(stored)
                    .flatMap(text -> current(StoredPause.read(text.toString()))))
        .recover(failure -> standIn(failure, Optional.of(Pause.DAMAGED)));
  }

  /** Returns all pauses, that of everything first. */
  public Future<Map<String, Pause>> all() {
    return link.send(Request.cmd(Command.HGETALL).arg(keys.pauses()))
        .map(
            hash -> {
              Map<String, Pause> all = new TreeMap<>();
              for (String key : hash.getKeys()) {
                PauseScope.ofKey(key)
                    .flatMap(scope -> current(StoredPause.read(hash.get(key).toString())))
                    .ifPresent(pause -> all.put(key, pause));
              }
              return all;
            })
        .recover(failure -> standIn(failure, Map.of(PauseScope.EVERYTHING.key(), Pause.DAMAGED)));
  }

  /**
   * Returns the pause unless it is over. A pause that is over stays stored until a heartbeat ends
   * it.
   */
  private Optional<Pause> current(StoredPause stored) {
    return stored.pause.flatMap(pause -> pause.current(clock.instant()));
  }

  /** Returns a substitute for the pauses if their key holds another type. */
  private static <T> Future<T> standIn(Throwable failure, T otherwise) {
    return RedisErrors.isWrongType(failure)
        ? Future.succeededFuture(otherwise)
        : Future.failedFuture(failure);
  }

  /**
   * Changes the pause of a scope. When the future completes, every partition uses it.
   *
   * @param update computes the new pause from the old one
   */
  public Future<PauseChange> change(
      PauseScope scope, UnaryOperator<Optional<Pause>> update, Instant now) {
    return markers
        .announce(scope.key())
        .compose(
            announced ->
                tryChange(scope, update, now, MAX_TRIES)
                    .compose(
                        change ->
                            markers
                                .settle(scope)
                                .compose(settled -> markers.dismiss(announced))
                                .map(change)));
  }

  private Future<PauseChange> tryChange(
      PauseScope scope, UnaryOperator<Optional<Pause>> update, Instant now, int tries) {
    return link.send(Request.cmd(Command.HGET).arg(keys.pauses()).arg(scope.key()))
        .compose(
            found -> {
              String text = found == null ? null : found.toString();
              Optional<StoredPause> stored = Optional.ofNullable(text).map(StoredPause::read);
              Optional<Pause> before = stored.flatMap(StoredPause::pause);
              PauseChange change = new PauseChange(before, update.apply(before));
              return change.after.equals(before)
                  ? Future.succeededFuture(change)
                  : write(scope, text, next(stored, change, now))
                      .compose(
                          written ->
                              written
                                  ? Future.succeededFuture(change)
                                  : again(scope, update, now, tries));
            });
  }

  private static JobException overtaken() {
    return new JobException(
        ErrorCode.PRECONDITION_FAILED, "The pause was changed by others at the same time.");
  }

  private static StoredPause next(Optional<StoredPause> stored, PauseChange change, Instant now) {
    long after = stored.map(one -> one.revision + 1).orElse(0L);
    return new StoredPause(Math.max(after, now.toEpochMilli()), change.after);
  }

  /** Repeats a change that lost against another one. */
  private Future<PauseChange> again(
      PauseScope scope, UnaryOperator<Optional<Pause>> update, Instant now, int tries) {
    return tries > 1 ? tryChange(scope, update, now, tries - 1) : Future.failedFuture(overtaken());
  }

  private Future<Boolean> write(PauseScope scope, String before, StoredPause after) {
    return new ConditionalCommands()
        .whenSame(before, "HGET", keys.pauses(), scope.key())
        .then("HSET", keys.pauses(), scope.key(), after.text())
        .run(link, true);
  }
}
