/**
 * What operators ask for: API keys, the audit log, nodes, health, metrics and the description of
 * the API.
 *
 * <p>Imports {@code access}, {@code api.http}, {@code job}, {@code json}, {@code store}, {@code
 * store.collection}, {@code store.job}, {@code store.operation}.
 */
package carillon.api.admin;
