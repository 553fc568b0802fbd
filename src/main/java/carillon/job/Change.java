package carillon.job;

import java.time.Instant;

/**
 * What a client is about to change, as the audit log will tell it.
 *
 * @param by who he is
 * @param from the address that the request came from
 * @param did the request in two words, such as {@code PUT job}
 * @param at the one moment at which everything about the request happens
 */
public record Change(String by, String from, String did, Instant at) {}
