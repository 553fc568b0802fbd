/**
 * JSON of actions: codecs of each kind of call, authentication, retry policies, statuses and
 * signing secrets, and the rules for headers and targets.
 *
 * <p>Imports {@code job}, {@code job.action}, {@code job.collection}, {@code job.name}, {@code
 * job.template}, {@code json.text}.
 */
package carillon.json.action;
