/**
 * Collections of jobs as values: their definition, their quotas and their regions of Azure. Also
 * the cloud services of the classic dialect, which contain collections.
 *
 * <p>Imports {@code job}, {@code job.action}, {@code job.name}, {@code recurrence}, {@code
 * recurrence.timetable}.
 */
package carillon.job.collection;
