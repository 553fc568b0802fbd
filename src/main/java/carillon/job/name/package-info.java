/**
 * Words that the whole domain shares: names of jobs and collections with their rules and keys, the
 * states of a job, texts of instants, and refusals with their codes. Pure: needs no other package.
 */
package carillon.job.name;
