/**
 * A client of Azure Service Bus and other AMQP 1.0 brokers: connections that are shared and
 * bounded, links that keep to the broker's credit, signed tokens, and messages in AMQP and REST
 * form.
 *
 * <p>Imports {@code config}, {@code dispatch.egress}, {@code job}.
 */
package carillon.dispatch.servicebus;
