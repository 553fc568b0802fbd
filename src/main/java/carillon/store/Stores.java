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
    CollectionStore collections,
    RunStore runs,
    NodeStore nodes,
    SealedStore sealed,
    Meta meta) {}
