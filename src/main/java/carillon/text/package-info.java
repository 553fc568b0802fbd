/**
 * Comparison of texts that people wrote: {@code NearestName}. Pure.
 *
 * <p>Imports no other package.
 */
package carillon.text;
