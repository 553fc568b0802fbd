package carillon.secret;

import carillon.secret.Pfx.Fault;
import carillon.secret.Pfx.FaultException;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * Cost of reading a PKCS #12 file (RFC 7292): the number of keys derived from the password, and
 * their iterations. The file itself sets the iterations of each part, and Java would perform
 * millions for each. So the cost is counted before a key is derived. The contents of encrypted
 * parts are counted when the visible parts are within the bound.
 */
final class PfxCost {
  /** Maximum number of derived keys. A usual file has three: certificates, private key, MAC. */
  private static final int MAX_KEYS = 10;

  /** A usual file has 6,000 to 30,000. */
  private static final BigInteger MAX_ITERATIONS = BigInteger.valueOf(1_000_000);

  private static final String DATA = "2a864886f70d010701";
  private static final String ENCRYPTED_DATA = "2a864886f70d010706";
  private static final String ENCRYPTED_KEY = "2a864886f70d010c0a0102";
  private static final String PBES2 = "2a864886f70d01050d";

  private final char[] password;
  private final List<BerReader> encrypted = new ArrayList<>();
  private int keys;
  private BigInteger iterations = BigInteger.ZERO;

  private PfxCost(char[] password) {
    this.password = password;
  }

  /**
   * Checks that a file is cheap to read. Fails with TOO_MUCH_WORK, UNREADABLE or WRONG_PASSWORD.
   */
  static void check(byte[] file, char[] password) throws FaultException {
    try {
      PfxCost cost = new PfxCost(password);
      cost.countFile(BerReader.read(file));
      cost.countHidden();
    } catch (IllegalArgumentException | IOException e) {
      throw new FaultException(Fault.UNREADABLE);
    }
  }

  private void countFile(BerReader file) throws FaultException {
    List<BerReader> fields = file.fields(); // version, parts, MAC
    if (fields.size() > 2) {
      List<BerReader> mac = fields.get(2).fields(); // digest, salt, iterations
      count(mac.size() > 2 ? mac.get(2).integer() : BigInteger.ONE);
    }
    for (BerReader part : BerReader.read(file.field(1).field(1).field(0).octets()).fields()) {
      String type = part.field(0).oid();
      if (type.equals(DATA)) {
        countBags(part.field(1).field(0).octets());
      } else if (type.equals(ENCRYPTED_DATA)) {
        BerReader content = part.field(1).field(0).field(1); // type, algorithm, content
        count(iterations(content.field(1)));
        encrypted.add(content);
      }
    }
  }

  private void countBags(byte[] bags) throws FaultException {
    for (BerReader bag : BerReader.read(bags).fields()) {
      if (bag.field(0).oid().equals(ENCRYPTED_KEY)) {
        count(iterations(bag.field(1).field(0).field(0)));
      }
    }
  }

  /** Encryption by a password: PBES2 names its key derivation, older schemes are one. */
  private static BigInteger iterations(BerReader algorithm) {
    BerReader parameters = algorithm.field(1);
    boolean isPbes2 = algorithm.field(0).oid().equals(PBES2);
    return (isPbes2 ? parameters.field(0).field(1) : parameters).field(1).integer();
  }

  private void count(BigInteger more) throws FaultException {
    keys++;
    iterations = iterations.add(more.max(BigInteger.ONE));
    if (keys > MAX_KEYS || iterations.compareTo(MAX_ITERATIONS) > 0) {
      throw new FaultException(Fault.TOO_MUCH_WORK);
    }
  }

  private void countHidden() throws FaultException, IOException {
    for (BerReader content : encrypted) {
      countBags(decrypted(content.field(1), content.field(2).octets()));
    }
  }

  private byte[] decrypted(BerReader algorithm, byte[] content) throws FaultException, IOException {
    // EncryptedPrivateKeyInfo also parses the algorithm of other encrypted content.
    EncryptedPrivateKeyInfo info =
        new EncryptedPrivateKeyInfo(BerReader.sequence(algorithm, content));
    boolean isPbes2 = algorithm.field(0).oid().equals(PBES2);
    String name = isPbes2 ? info.getAlgParameters().toString() : info.getAlgName();
    try {
      SecretKey key = SecretKeyFactory.getInstance(name).generateSecret(new PBEKeySpec(password));
      Cipher cipher = Cipher.getInstance(name);
      cipher.init(Cipher.DECRYPT_MODE, key, info.getAlgParameters());
      return cipher.doFinal(content);
    } catch (javax.crypto.BadPaddingException e) {
      throw new FaultException(Fault.WRONG_PASSWORD);
    } catch (GeneralSecurityException e) {
      throw new FaultException(Fault.UNREADABLE);
    }
  }
}
