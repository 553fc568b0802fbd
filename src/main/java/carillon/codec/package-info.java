/**
 * JSON and the domain: one reader and one writer for jobs, collections and history, told by a
 * {@link carillon.codec.Dialect} how the words are spelt; and the XML of the classic dialect, which
 * is brought into the same form and read by the same rules. Owns every rule about what a client may
 * submit; each refusal is a {@link carillon.job.JobException} that names field, value and rule.
 * Imports Jackson's streaming core, the JDK's StAX, {@code access}, {@code job} and {@code
 * recurrence}, and no Vert.x.
 */
package carillon.codec;
