/**
 * The stores of one event loop, and the factory that opens them. Each store is a set of typed calls
 * for one subject in Redis. Work on several stores is here too: the ending of attempts, the pauser
 * of failing jobs, and the retries of changes. The packages below must not depend on it, except
 * {@code store.classic}, which it does not know. Every Lua script is called by one class: a store
 * of the packages below, or {@code ConditionalCommands} or {@code StreamPager} of {@code redis}.
 *
 * <p>Imports {@code access}, {@code config}, {@code job}, {@code job.attempt}, {@code job.name},
 * {@code redis}, {@code redis.route}, {@code store.attempt}, {@code store.collection}, {@code
 * store.job}, {@code store.node}, {@code store.operation}, {@code store.resource}.
 */
package carillon.store;
