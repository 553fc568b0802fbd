/**
 * The seam between the API and its dialects beside the native one. Each dialect has separate
 * folders and implements {@code DialectModule}. Only {@code ApiVerticle} names them.
 *
 * <p>Imports {@code api.http}, {@code api.jobs}, {@code api.resources}, {@code json}, {@code
 * json.text}, {@code store}.
 */
package carillon.api.dialect;
