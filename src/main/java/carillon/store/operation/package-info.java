/**
 * Stores for operators and for sign-ins: API keys, sessions, statistics, activity, live events, the
 * sealing of secrets with another key, and raw reads for the consistency check.
 *
 * <p>Imports {@code access}, {@code job}, {@code job.collection}, {@code job.name}, {@code
 * json.text}, {@code json.view}, {@code redis}, {@code redis.route}, {@code store.collection},
 * {@code store.job}.
 */
package carillon.store.operation;
