/**
 * The HTTP API, native and Azure Resource Manager alike: routes, conditions, paging, errors. Owns
 * no rule about jobs ({@code codec} has those) and no key of Redis ({@code store} has those).
 * Writes definitions, their secrets sealed, of collections and jobs, and tells the timer where to
 * look. Imports {@code codec}, {@code store}, {@code bus}, {@code job}, {@code vault}; never {@code
 * timer} or {@code dispatch}.
 */
package carillon.api;
