package carillon.store;

/**
 * Everything that one event loop needs of Redis, over one connection.
 *
 * @param link the connection
 */
public record Stores(
    RedisLink link,
    JobStore jobs,
    JobLists lists,
    JobFinder finder,
    Places places,
    CollectionStore collections,
    CollectionRemoval removal,
    Gates gates,
    Notices notices,
    RunStore runs,
    PurgeStore purges,
    DueList due,
    NodeStore nodes,
    QueueStore queues,
    SealedStore sealed,
    Meta meta,
    Figures figures,
    CloudServiceStore cloudServices,
    InspectionStore inspection,
    KeyStore apiKeys,
    SessionStore sessions,
    ActivityStore activity,
    LiveStore live,
    AuditLog audit) {}
