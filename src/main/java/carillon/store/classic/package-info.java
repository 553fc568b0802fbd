/**
 * Cloud services of the classic dialect in Redis. They are groups of collections, with texts that
 * no other dialect has.
 *
 * <p>Imports {@code job.name}, {@code json}, {@code json.text}, {@code redis}, {@code store}.
 */
package carillon.store.classic;
