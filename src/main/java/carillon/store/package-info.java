/**
 * The stores of one event loop, each a set of typed calls on what Redis keeps of one subject, and
 * the factory that opens them. There is nothing else here, as the rooms below must not depend on
 * it. Every Lua script is called by one class: a store of the rooms below, or {@code
 * ConditionalCommands} of {@code redis}.
 *
 * <p>Imports {@code config}, {@code redis}, {@code store.attempt}, {@code store.collection}, {@code
 * store.job}, {@code store.operation}.
 */
package carillon.store;
