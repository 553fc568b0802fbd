/**
 * Documents other than jobs and collections: previews and explanations of schedules, forecasts,
 * results of a search, records of attempts. Also flows with their state and log, audit entries, API
 * keys and a virtual clock.
 *
 * <p>Imports {@code access}, {@code flow}, {@code job}, {@code job.action}, {@code job.attempt},
 * {@code job.collection}, {@code job.name}, {@code job.template}, {@code json}, {@code
 * json.action}, {@code json.schedule}, {@code json.text}, {@code recurrence}, {@code
 * recurrence.calendar}, {@code recurrence.conversion}, {@code recurrence.cron}, {@code
 * recurrence.timetable}.
 */
package carillon.json.view;
