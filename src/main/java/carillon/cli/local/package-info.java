/**
 * Commands on this machine without a running node: they start a node, check its settings, check its
 * Redis, train the JVM, or write the man page.
 *
 * <p>Imports {@code cli.client}, {@code cli.output}, {@code config}, {@code fsck}, {@code node},
 * {@code observe}, {@code redis}, {@code redis.embedded}, {@code redis.route}, {@code store}.
 */
package carillon.cli.local;
