/**
 * The stores of one event loop, each a set of typed calls on what Redis keeps of one subject, the
 * factory that opens them, and what needs several of them: the ending of attempts with the pauser
 * of jobs that fail, and the retries of changes that others overtake. The packages below must not
 * depend on it. Every Lua script is called by one class: a store of the packages below, or {@code
 * ConditionalCommands} or {@code StreamPager} of {@code redis}.
 *
 * <p>Imports {@code access}, {@code config}, {@code job}, {@code redis}, {@code store.attempt},
 * {@code store.collection}, {@code store.job}, {@code store.node}, {@code store.operation}, {@code
 * store.resource}.
 */
package carillon.store;
