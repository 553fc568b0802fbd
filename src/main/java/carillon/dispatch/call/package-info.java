/**
 * Parts of every call: the interface of an invoker, the result of an attempt with its text for the
 * history, the headers that identify an execution, and the signature of a collection.
 *
 * <p>Imports {@code bounded}, {@code config}, {@code dispatch.egress}, {@code job.action}, {@code
 * job.attempt}, {@code job.collection}, {@code job.name}, {@code redis.route}, {@code secret},
 * {@code store.attempt}.
 */
package carillon.dispatch.call;
