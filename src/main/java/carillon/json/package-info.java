/**
 * JSON of the domain: codecs of jobs, collections, histories and pauses, their short forms, and the
 * stored form in Redis. Codecs of actions and schedules are in the packages below. A codec reads
 * and writes one concept, in the spelling of a {@code Dialect}. Owns the rules on the form of
 * submissions; each refusal is a {@code JobException} that names field, value and rule. No Vert.x.
 *
 * <p>Imports {@code job}, {@code job.action}, {@code job.attempt}, {@code job.collection}, {@code
 * job.name}, {@code json.action}, {@code json.schedule}, {@code json.text}, {@code recurrence}.
 */
package carillon.json;
