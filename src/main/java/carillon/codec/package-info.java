/**
 * JSON and the domain: one reader and one writer for jobs, collections and history, told by a
 * {@link carillon.codec.Dialect} how the words are spelt. Owns every rule about what a client may
 * submit; each refusal is a {@link carillon.job.JobException} that names field, value and rule.
 * Imports Jackson's streaming core, {@code job} and {@code recurrence}, and no Vert.x.
 */
package carillon.codec;
