/**
 * The HTTP API in three dialects, native, Azure Resource Manager and classic ({@link
 * carillon.api.Classic} and its namesakes): routes, conditions, paging, errors. Owns no rule about
 * jobs ({@code codec} has those) and no key of Redis ({@code store} has those). Writes definitions
 * of collections and jobs, their secrets sealed, and tells the timer where to look. Imports {@code
 * access}, {@code login}, {@code codec}, {@code store}, {@code bus}, {@code job}, {@code vault};
 * never {@code timer} or {@code dispatch}. {@code Gate} and {@code Demands} say who may do what.
 */
package carillon.api;
