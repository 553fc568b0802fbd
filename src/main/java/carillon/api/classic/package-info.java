/**
 * Classic dialect, the first API of the Azure Scheduler: its paths, its XML and JSON, its cloud
 * services. Only translates; {@code api.jobs} performs the operations.
 *
 * <p>Imports {@code access}, {@code api.dialect}, {@code api.http}, {@code api.jobs}, {@code
 * api.resources}, {@code job}, {@code job.attempt}, {@code job.collection}, {@code job.name},
 * {@code json}, {@code json.text}, {@code store}, {@code store.classic}, {@code store.collection},
 * {@code store.job}.
 */
package carillon.api.classic;
