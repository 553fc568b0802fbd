package carillon.job;

import java.time.Instant;

/**
 * What a client is about to change, as the audit log will tell it.
 *
 * @param by who he is
 * @param from the address that the request came from
 * @param did the request in two words, such as {@code PUT job}
 * @param at when it was asked for; the change itself happens when it is written
 */
public record AuditContext(String by, String from, String did, Instant at) {}
