/**
 * Jobs, collections, history, executions, calendars and flows over HTTP, with search, upcoming
 * work, forecasts, and changes of many jobs together. All are in the native dialect; all but
 * executions, calendars and flows are also in that of Azure Resource Manager. Owns no rule about
 * jobs ({@code json} and {@code job} have those) and no key of Redis ({@code store} has those).
 * Seals the secrets of submissions and wakes the timer.
 *
 * <p>Imports {@code access}, {@code api.arm}, {@code api.http}, {@code bus}, {@code flow}, {@code
 * job}, {@code job.action}, {@code job.attempt}, {@code job.collection}, {@code job.name}, {@code
 * json}, {@code json.schedule}, {@code json.text}, {@code json.view}, {@code recurrence.calendar},
 * {@code recurrence.timetable}, {@code secret}, {@code store}, {@code store.attempt}, {@code
 * store.collection}, {@code store.job}, {@code store.operation}, {@code store.resource}.
 */
package carillon.api.jobs;
