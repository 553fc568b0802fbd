/**
 * Lifecycle of a node: wiring, start-up validation, start and stop of its parts in order, health
 * and security checks, and background work of the node itself. That work is the rotation of sealing
 * keys, the reload of TLS certificates, and the watchdog of the heap.
 *
 * <p>Imports {@code access}, {@code api}, {@code api.admin}, {@code api.console}, {@code
 * api.dialect}, {@code api.edge}, {@code api.http}, {@code auth}, {@code bus}, {@code config},
 * {@code dispatch}, {@code dispatch.call}, {@code dispatch.egress}, {@code job.action}, {@code
 * job.name}, {@code json}, {@code json.action}, {@code json.schedule}, {@code observe}, {@code
 * observe.metrics}, {@code redis}, {@code redis.embedded}, {@code redis.route}, {@code secret},
 * {@code store}, {@code store.attempt}, {@code store.node}, {@code store.operation}, {@code timer},
 * {@code uri}.
 */
package carillon.node;
