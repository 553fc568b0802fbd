/**
 * Sends messages to Azure Service Bus and other AMQP 1.0 brokers: connections that are shared and
 * bounded, links that keep to the broker's credit, signed tokens, and how a message looks in AMQP
 * and in the REST form. Imports {@code job} and {@code egress}.
 */
package carillon.servicebus;
