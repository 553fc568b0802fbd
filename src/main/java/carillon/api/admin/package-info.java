/**
 * Routes for operators: API keys, the audit log, nodes, health, metrics, a virtual clock and the
 * description of the API.
 *
 * <p>Imports {@code access}, {@code api.http}, {@code bus}, {@code job.name}, {@code
 * json.schedule}, {@code json.text}, {@code json.view}, {@code store}, {@code store.collection},
 * {@code store.job}, {@code store.node}, {@code store.operation}.
 */
package carillon.api.admin;
