/**
 * Jobs, history and executions over HTTP, with search, upcoming work, forecasts, pauses, and
 * changes of many jobs together. {@code ResourceRoutes} lists the routes of the native dialect,
 * also those of {@code api.resources}. Owns no rule about jobs ({@code json} and {@code job} have
 * those) and no key of Redis ({@code store} has those). Seals the secrets of submissions and wakes
 * the timer.
 *
 * <p>Imports {@code access}, {@code api.http}, {@code api.resources}, {@code bus}, {@code flow},
 * {@code job}, {@code job.action}, {@code job.attempt}, {@code job.collection}, {@code job.name},
 * {@code json}, {@code json.text}, {@code json.view}, {@code recurrence.calendar}, {@code
 * recurrence.timetable}, {@code secret}, {@code store}, {@code store.attempt}, {@code
 * store.collection}, {@code store.job}, {@code store.operation}, {@code store.resource}.
 */
package carillon.api.jobs;
