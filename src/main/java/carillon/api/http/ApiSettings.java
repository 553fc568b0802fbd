package carillon.api.http;

import carillon.auth.LoginOptions;
import carillon.json.SubmissionLimits;
import carillon.json.TargetPolicy;
import carillon.secret.Vault;
import java.time.Duration;
import java.util.Optional;

/**
 * How the API is served.
 *
 * @param servesApi whether the resources are served; else only what tells of the nodes
 * @param version of this program
 * @param host address to bind
 * @param port 0 for any free one
 * @param maxBody largest body of a request, in bytes
 * @param idleTimeout after which a silent connection is closed
 * @param limits of jobs in the native dialect; the others have the documented ones
 * @param region where this node is, as the ARM and the classic dialect tell it
 * @param vault that seals secrets before they are stored
 * @param targets which places jobs may call
 * @param login how clients prove who they are
 * @param tls empty where the API is served in the clear
 */
public record ApiSettings(
    boolean servesApi,
    String version,
    String host,
    int port,
    int maxBody,
    Duration idleTimeout,
    SubmissionLimits limits,
    String region,
    Vault vault,
    TargetPolicy targets,
    LoginOptions login,
    Optional<ServerTls> tls) {}
