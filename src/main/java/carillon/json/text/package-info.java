/**
 * Basis of all codecs: the strict parser and the writer of JSON, typed fields with their places,
 * refusals, the spelling of each {@code Dialect}, and the texts of instants and durations. Knows no
 * codec.
 *
 * <p>Imports {@code config}, {@code job}, {@code job.action}, {@code job.collection}, {@code
 * job.name}, {@code recurrence}, {@code text}.
 */
package carillon.json.text;
