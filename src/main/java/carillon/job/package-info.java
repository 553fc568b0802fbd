/**
 * The domain: what a job is, what a run of it is, and which words they are stored under. Owns
 * names, definitions, retry rules and error codes; imports {@code recurrence} only, and neither
 * Vert.x nor Redis.
 */
package carillon.job;
