package carillon.auth;

/**
 * Authorization response of the issuer, as the browser brought it along (RFC 6749, section 4.1.2,
 * and RFC 9207). Missing fields are empty. No field can be trusted.
 *
 * @param error why there is no code
 */
public record AuthorizationResponse(String code, String state, String iss, String error) {
  /** Shows all but the code. */
  @Override
  public String toString() {
    return "AuthorizationResponse[iss=" + iss + ", error=" + error + "]";
  }
}
