package carillon.api;

import carillon.access.ApiKey;
import carillon.access.Identity;
import carillon.access.KeyText;
import carillon.codec.ApiKeyForm;
import carillon.job.ErrorCode;
import carillon.job.Excerpt;
import carillon.job.JobException;
import carillon.store.AuditLog;
import carillon.store.KeyStore;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** API keys over HTTP: who has which. The text of a key is in one answer only, the first. */
final class KeyRoutes {
  private static final String WHAT = "key";

  private final KeyStore keys;
  private final AuditLog audit;

  KeyRoutes(KeyStore keys, AuditLog audit) {
    this.keys = keys;
    this.audit = audit;
  }

  /** Makes a key. */
  Future<Answer> create(HttpServerRequest http, byte[] order, Identity caller, Instant now) {
    KeyText text = KeyText.random();
    ApiKey key = ApiKeyForm.read(order, text, now, caller.name());
    return keys.add(key)
        .compose(
            added ->
                audit.note(
                    Changes.of(http, caller, WHAT, now),
                    object(key.id()),
                    Optional.empty(),
                    Optional.of(text(key))))
        .map(
            added ->
                Answer.json(201, ApiKeyForm.answer(key, text))
                    .with(Map.of("Location", "/keys/" + key.id(), "Cache-Control", "no-store")));
  }

  /** A page of keys by their ids. */
  Future<Answer> list(HttpServerRequest http) {
    Query query = Query.parse(http.query());
    int top = query.top();
    String after = query.after();
    return keys.byId()
        .compose(
            all -> {
              List<ApiKey> rest =
                  new TreeMap<>(all.tailMap(after, false))
                      .values().stream().skip(query.skip()).limit(top + 1L).toList();
              List<ApiKey> page = rest.subList(0, Math.min(top, rest.size()));
              Optional<String> next =
                  rest.size() > top
                      ? Optional.of(NextLink.of(http, query, page.get(top - 1).id()))
                      : Optional.empty();
              return keys.shown(page).map(shown -> Answer.json(200, ApiKeyForm.page(shown, next)));
            });
  }

  /** One key. */
  Future<Answer> get(String id) {
    return keys.find(id)
        .compose(found -> keys.shown(List.of(found.orElseThrow(() -> notFound(id)))))
        .map(shown -> Answer.json(200, ApiKeyForm.answer(shown.get(0))));
  }

  /** Revokes a key. */
  Future<Answer> revoke(HttpServerRequest http, String id, Identity caller, Instant now) {
    return keys.find(id)
        .compose(
            found ->
                keys.revoke(id)
                    .compose(
                        existed -> {
                          if (!existed) {
                            throw notFound(id);
                          }
                          return audit.note(
                              Changes.of(http, caller, WHAT, now),
                              object(id),
                              found.map(KeyRoutes::text),
                              Optional.empty());
                        }))
        .map(noted -> Answer.empty(200));
  }

  /** What no subscription can be called. */
  private static String object(String id) {
    return "key:" + id;
  }

  private static String text(ApiKey key) {
    return new String(
        ApiKeyForm.answer(new ApiKeyForm.Shown(key, Optional.empty())), StandardCharsets.UTF_8);
  }

  private static JobException notFound(String id) {
    return new JobException(
        ErrorCode.JOB_NOT_FOUND, "Key '" + Excerpt.of(id) + "' cannot be found.");
  }
}
