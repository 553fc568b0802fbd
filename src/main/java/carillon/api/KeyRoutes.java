package carillon.api;

import carillon.access.ApiKey;
import carillon.access.Identity;
import carillon.access.KeyText;
import carillon.codec.ApiKeyForm;
import carillon.job.ErrorCode;
import carillon.job.Excerpt;
import carillon.job.JobException;
import carillon.store.KeyStore;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** API keys over HTTP: who has which. The text of a key is in one answer only, the first. */
final class KeyRoutes {
  private final KeyStore keys;

  KeyRoutes(KeyStore keys) {
    this.keys = keys;
  }

  /** Makes a key. */
  Future<Answer> create(byte[] order, Identity caller, Instant now) {
    KeyText text = KeyText.random();
    ApiKey key = ApiKeyForm.read(order, text, now, caller.name());
    return keys.add(key)
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
  Future<Answer> revoke(String id) {
    return keys.revoke(id)
        .map(
            existed -> {
              if (!existed) {
                throw notFound(id);
              }
              return Answer.empty(200);
            });
  }

  private static JobException notFound(String id) {
    return new JobException(
        ErrorCode.JOB_NOT_FOUND, "Key '" + Excerpt.of(id) + "' cannot be found.");
  }
}
