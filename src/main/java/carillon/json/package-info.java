/**
 * JSON of the domain: one codec for each concept reads and writes it, told by a {@code Dialect} how
 * the names are spelt. Owns every rule about what a client may submit; each refusal is a {@code
 * JobException} that names field, value and rule. No Vert.x.
 *
 * <p>Imports {@code access}, {@code job}, {@code recurrence}.
 */
package carillon.json;
