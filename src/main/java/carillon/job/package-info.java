/**
 * The domain: definitions of jobs, stored jobs and their versions, the policy for their
 * occurrences, and pauses. Names, attempts, actions and collections are in the packages below.
 * Pure: neither Vert.x nor Redis.
 *
 * <p>Imports {@code job.action}, {@code job.attempt}, {@code job.name}, {@code recurrence}, {@code
 * recurrence.calendar}, {@code recurrence.cron}, {@code recurrence.timetable}.
 */
package carillon.job;
