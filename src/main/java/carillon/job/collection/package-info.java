/**
 * Collections of jobs as values: their definition, their quotas and their regions of Azure.
 *
 * <p>Imports {@code job}, {@code job.action}, {@code job.name}, {@code recurrence}, {@code
 * recurrence.timetable}.
 */
package carillon.job.collection;
