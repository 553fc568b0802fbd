/**
 * Export and import of jobs, collections, calendars and flows: {@code carillon export} and {@code
 * carillon import}, line by line.
 *
 * <p>Imports {@code cli}, {@code cli.client}, {@code cli.output}, {@code job.action}.
 */
package carillon.cli.transfer;
