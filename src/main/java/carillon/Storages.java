package carillon;

import carillon.config.Settings;
import carillon.store.AuditBounds;
import carillon.store.HistoryBounds;
import carillon.store.Keys;
import carillon.store.RedisSetup;
import carillon.store.Storage;
import carillon.store.TimeKeeper;

/** What the settings say of what is stored, as the store wants it. */
final class Storages {
  private Storages() {}

  static Storage of(
      Settings settings, RedisSetup redis, String node, TimeKeeper clock, AuditBounds audit) {
    return new Storage(
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
