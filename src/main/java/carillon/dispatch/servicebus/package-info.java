/**
 * Client of Azure Service Bus and other AMQP 1.0 brokers: shared and bounded connections, links
 * that keep to the broker's credit, signed tokens, and messages in AMQP and REST form.
 *
 * <p>Imports {@code config}, {@code dispatch.egress}, {@code job.action}, {@code uri}.
 */
package carillon.dispatch.servicebus;
