package carillon.api;

import carillon.api.edge.ServerTls;
import carillon.auth.LoginOptions;
import carillon.config.NodeSettings;
import carillon.config.Settings;
import carillon.json.action.TargetPolicy;
import carillon.json.text.SubmissionLimits;
import carillon.secret.Vault;
import java.util.Optional;

/**
 * Options of the API's server.
 *
 * @param version of this program
 * @param vault that seals secrets before they are stored
 * @param targets which targets jobs may call
 * @param login how clients prove who they are
 * @param tls empty if the API is served in the clear
 */
public record ApiOptions(
    Settings settings,
    String version,
    Vault vault,
    TargetPolicy targets,
    LoginOptions login,
    Optional<ServerTls> tls) {

  /** Whether this node serves the resources; otherwise it serves only routes about the nodes. */
  public boolean servesApi() {
    return settings.node().has(NodeSettings.NodeRole.API);
  }

  /** Limits of jobs in the native dialect; the others have the documented ones. */
  public SubmissionLimits limits() {
    return SubmissionLimits.of(settings);
  }
}
