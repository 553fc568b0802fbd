/**
 * The dialect of Azure Resource Manager (ARM) around a request: its envelope and its rate limits.
 *
 * <p>Imports {@code api.http}, {@code auth}, {@code bounded}, {@code config}, {@code job.name},
 * {@code json}.
 */
package carillon.api.arm;
