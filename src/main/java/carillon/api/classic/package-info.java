/**
 * The classic dialect, the first API of the Azure Scheduler: its paths, its XML and JSON, its cloud
 * services. Translates; what is done is done by {@code api.jobs}.
 *
 * <p>Imports {@code access}, {@code api.http}, {@code api.jobs}, {@code job}, {@code
 * job.collection}, {@code json}, {@code store}, {@code store.collection}, {@code store.job}.
 */
package carillon.api.classic;
