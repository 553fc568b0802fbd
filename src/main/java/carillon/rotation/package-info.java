/**
 * Brings stored secrets under the active key, in the background, when there is more than one key.
 * Imports {@code vault}, {@code codec}, {@code store}. Changes nothing of a job or collection but
 * how its secrets are sealed.
 */
package carillon.rotation;
