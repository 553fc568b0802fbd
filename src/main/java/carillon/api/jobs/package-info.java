/**
 * Jobs, collections, history, executions, calendars and flows over HTTP, in the native dialect and,
 * but for executions, calendars and flows, in that of Azure Resource Manager, with search, upcoming
 * work, forecasts, and changes of many jobs at once. Owns no rule about jobs ({@code json} and
 * {@code job} have those) and no key of Redis ({@code store} has those). Seals the secrets of what
 * is submitted and wakes the timer.
 *
 * <p>Imports {@code access}, {@code api.http}, {@code bus}, {@code flow}, {@code job}, {@code
 * job.collection}, {@code json}, {@code json.view}, {@code recurrence}, {@code
 * recurrence.calendar}, {@code secret}, {@code store}, {@code store.attempt}, {@code
 * store.collection}, {@code store.job}, {@code store.node}, {@code store.operation}, {@code
 * store.resource}.
 */
package carillon.api.jobs;
