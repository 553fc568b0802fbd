/**
 * What tests of several packages need: servers that stand in for what Carillon talks to, real ones
 * of Redis and brokers, nodes and engines to start, a clock to set, and conditions to wait for.
 */
package carillon.support;
