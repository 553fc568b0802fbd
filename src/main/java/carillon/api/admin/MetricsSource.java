package carillon.api.admin;

import carillon.store.Stores;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;

/** What {@code /metrics} shows. */
public interface MetricsSource {
  /**
   * Reads from Redis what is shown of it, if that has not been done lately. To be called on the
   * event loop of the stores. Never fails: what cannot be read is not shown.
   */
  Future<Void> refresh(Stores stores);

  /**
   * All meters. Reads small files of the system: not for an event loop.
   *
   * @param accept the header of the request, or null
   */
  Text write(String accept);

  /**
   * What to answer.
   *
   * @param type for the header Content-Type
   */
  record Text(String type, Buffer body) {}
}
