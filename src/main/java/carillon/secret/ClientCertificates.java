package carillon.secret;

import carillon.job.JobDefinition;
import carillon.job.action.ActionCall;
import carillon.job.action.Authentication.Certificate;
import carillon.job.action.Authentication.ClientCertificate;
import carillon.job.action.HttpCall;
import carillon.job.name.JobException;
import java.time.Instant;
import java.util.Optional;

/**
 * Inspection of the client certificates of a job: adds to each the details that answers show. Takes
 * milliseconds of processor time for each, so not on an event loop.
 */
public final class ClientCertificates {
  private static final String PLACE = "request.authentication.";

  private ClientCertificates() {}

  /** Whether there is a certificate that was not inspected yet. */
  public static boolean areNewIn(JobDefinition job) {
    return isNew(job.action().call())
        || job.errorAction().filter(action -> isNew(action.call())).isPresent();
  }

  private static boolean isNew(ActionCall call) {
    return call instanceof HttpCall http
        && http.authentication().orElse(null) instanceof ClientCertificate certificate
        && certificate.certificate().isEmpty();
  }

  /**
   * Returns a job with a description of each certificate that was not inspected yet: its
   * thumbprint, expiration and subject name.
   *
   * @param job with its secrets in clear
   * @throws JobException INVALID, with the field, when a PFX or its password is broken or the
   *     certificate has expired
   */
  public static JobDefinition inspected(JobDefinition job, Instant now) {
    return job.mapCalls(
        (place, call) -> isNew(call) ? inspected(place + PLACE, (HttpCall) call, now) : call);
  }

  private static HttpCall inspected(String place, HttpCall call, Instant now) {
    ClientCertificate given = (ClientCertificate) call.authentication().orElseThrow();
    Pfx pfx = read(place, given);
    Instant expiration = pfx.expiration();
    if (!now.isBefore(expiration)) {
      throw JobException.invalid(place + "pfx: its certificate expired at " + expiration);
    }
    Certificate found = new Certificate(pfx.thumbprint(), expiration, pfx.subjectName());
    return call.with(new ClientCertificate(given.pfx(), given.password(), Optional.of(found)));
  }

  private static Pfx read(String place, ClientCertificate given) {
    try {
      return Pfx.read(given.pfx().text(), given.password().text());
    } catch (Pfx.FaultException e) {
      String field = e.fault() == Pfx.Fault.WRONG_PASSWORD ? "password" : "pfx";
      throw JobException.invalid(place + field + ": " + e.fault().text());
    }
  }
}
