package carillon.secret;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;

/**
 * Certificate and private key of a PKCS #12 file. Reading one takes milliseconds of processor time
 * (the password is stretched), a second at most, so not on an event loop.
 *
 * @param certificate of the client
 */
public record Pfx(X509Certificate certificate) {

  /** Fault of a PFX, and the part that has it. */
  public enum Fault {
    NOT_BASE64("is not base64"),
    UNREADABLE("is not a readable PKCS #12 file"),
    WRONG_PASSWORD("does not open the PFX"),
    TOO_MUCH_WORK(
        "takes more than 10 key derivations or 1000000 iterations in sum to read; write it again"
            + " with fewer (openssl pkcs12 -export -iter 10000)"),
    NO_KEY("holds no certificate with a private key");

    private final String text;

    Fault(String text) {
      this.text = text;
    }

    /** A predicate: {@code is not base64}. */
    public String text() {
      return text;
    }
  }

  /** A PFX that cannot be used. */
  public static final class FaultException extends Exception {
    private static final long serialVersionUID = 1L;
    private final Fault fault;

    FaultException(Fault fault) {
      super(fault.text, null, false, false);
      this.fault = fault;
    }

    public Fault fault() {
      return fault;
    }
  }

  /**
   * Reads a PFX.
   *
   * @param base64 line breaks are allowed
   */
  public static Pfx read(String base64, String password) throws FaultException {
    byte[] bytes = decoded(base64);
    char[] letters = password.toCharArray();
    PfxCost.check(bytes, letters);
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(new ByteArrayInputStream(bytes), letters);
      return new Pfx(certificate(store, letters));
    } catch (IOException e) {
      throw new FaultException(
          e.getCause() instanceof UnrecoverableKeyException
              ? Fault.WRONG_PASSWORD
              : Fault.UNREADABLE);
    } catch (UnrecoverableKeyException e) {
      throw new FaultException(Fault.WRONG_PASSWORD);
    } catch (GeneralSecurityException | RuntimeException e) {
      throw new FaultException(Fault.UNREADABLE);
    }
  }

  private static byte[] decoded(String base64) throws FaultException {
    try {
      byte[] bytes = Base64.getMimeDecoder().decode(base64);
      if (isBase64(base64) && bytes.length > 0) {
        return bytes;
      }
    } catch (IllegalArgumentException e) {
      // not base64 either
    }
    throw new FaultException(Fault.NOT_BASE64);
  }

  /** Whether a text is base64. The decoder for lines would skip unknown characters. */
  private static boolean isBase64(String text) {
    return text.chars()
        .allMatch(
            c ->
                (c >= 'A' && c <= 'Z')
                    || (c >= 'a' && c <= 'z')
                    || (c >= '0' && c <= '9')
                    || "+/=\r\n".indexOf(c) >= 0);
  }

  private static X509Certificate certificate(KeyStore store, char[] password)
      throws GeneralSecurityException, FaultException {
    for (String alias : Collections.list(store.aliases())) {
      if (store.isKeyEntry(alias)
          && store.getCertificate(alias) instanceof X509Certificate certificate
          && store.getKey(alias, password) instanceof PrivateKey) {
        return certificate;
      }
    }
    throw new FaultException(Fault.NO_KEY);
  }

  /** Returns the end of validity of the certificate. */
  public Instant expiration() {
    return certificate.getNotAfter().toInstant();
  }

  /** Returns the subject of the certificate, such as {@code CN=client} (RFC 2253). */
  public String subjectName() {
    return certificate.getSubjectX500Principal().getName();
  }

  /** Returns the SHA-1 of the certificate's DER form in 40 upper-case hex digits. */
  public String thumbprint() {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-1").digest(certificate.getEncoded());
      return HexFormat.of().withUpperCase().formatHex(digest);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }

  /** Shows nothing of the key. */
  @Override
  public String toString() {
    return "Pfx[" + thumbprint() + "]";
  }
}
