/**
 * The domain: jobs, collections, attempts and claims, and their stored words. Owns names,
 * definitions, retry rules and error codes. Pure: neither Vert.x nor Redis.
 *
 * <p>Imports {@code job.attempt}, {@code job.name}, {@code recurrence}, {@code
 * recurrence.calendar}, {@code recurrence.cron}, {@code recurrence.timetable}, {@code uri}.
 */
package carillon.job;
