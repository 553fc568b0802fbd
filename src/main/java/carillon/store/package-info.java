/**
 * The stores of one event loop, and the factory that opens them. Every Lua script has one method in
 * one store of the rooms below.
 *
 * <p>Imports {@code redis}, {@code store.attempt}, {@code store.audit}, {@code store.collection},
 * {@code store.job}, {@code store.operation}.
 */
package carillon.store;
