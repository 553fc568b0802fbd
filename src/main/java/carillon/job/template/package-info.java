/**
 * Placeholders in the texts of calls, such as {@code {{scheduledAt}}}: their grammar, and the
 * values of one attempt. The codecs check them, the dispatcher fills them in. Pure.
 *
 * <p>Imports {@code job.action}, {@code job.attempt}, {@code job.name}.
 */
package carillon.job.template;
