package carillon.node;

import carillon.config.Settings;
import carillon.redis.Keys;
import carillon.redis.RedisLinkOptions;
import carillon.redis.SharedClock;
import carillon.store.StoreFactory;
import carillon.store.attempt.HistoryBounds;
import carillon.store.audit.AuditBounds;

/** What the settings say of what is stored, as the store wants it. */
public final class StoreFactoryMapper {
  private StoreFactoryMapper() {}

  public static StoreFactory of(
      Settings settings,
      RedisLinkOptions redis,
      String node,
      SharedClock clock,
      AuditBounds audit) {
    return new StoreFactory(
        redis,
        new Keys(settings.redis().prefix(), settings.partitions()),
        node,
        clock,
        new HistoryBounds(
            settings.history().entries(), settings.history().age(), settings.history().bytes()),
        settings.jobs().keepFinished(),
        audit);
  }

  static AuditBounds audit(Settings settings) {
    return new AuditBounds(
        settings.audit().entries(),
        settings.audit().definitionBytes(),
        settings.audit().newDefinitions());
  }
}
