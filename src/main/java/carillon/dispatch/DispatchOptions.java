package carillon.dispatch;

import carillon.config.Settings;
import carillon.dispatch.egress.EgressPolicy;
import carillon.secret.Vault;

/**
 * Options of a dispatcher.
 *
 * @param userAgent user agent of every call
 * @param vault opens the secrets of calls
 * @param egress policy for the targets of calls
 */
public record DispatchOptions(
    Settings settings, String userAgent, Vault vault, EgressPolicy egress) {}
