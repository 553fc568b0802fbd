/**
 * Collections of jobs as values: their definition, their quotas, the regions of Azure in which they
 * are said to be, and the cloud services of the classic dialect that stand above them.
 *
 * <p>Imports {@code job}, {@code recurrence}.
 */
package carillon.job.collection;
