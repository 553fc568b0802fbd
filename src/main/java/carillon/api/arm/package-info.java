/**
 * The dialect of Azure Resource Manager (ARM): its routes, its envelope, its rate limits and the
 * description of its provider.
 *
 * <p>Imports {@code api.dialect}, {@code api.http}, {@code auth}, {@code bounded}, {@code config},
 * {@code job.collection}, {@code job.name}, {@code json}, {@code json.text}.
 */
package carillon.api.arm;
