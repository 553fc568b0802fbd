/**
 * The commands that work on this machine without a running node: they start one, check its
 * settings, or look after its Redis.
 *
 * <p>Imports {@code cli}, {@code config}, {@code embedded}, {@code fsck}, {@code node}, {@code
 * redis}, {@code store}.
 */
package carillon.cli.local;
