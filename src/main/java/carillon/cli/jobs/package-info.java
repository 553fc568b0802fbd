/**
 * Commands for the jobs of a node, {@code carillon jobs ...}: create, put, edit, list, show, run,
 * pause, retry, delete, their history, and the options that describe a call and its rules.
 *
 * <p>Imports {@code cli}, {@code cli.client}, {@code cli.output}.
 */
package carillon.cli.jobs;
