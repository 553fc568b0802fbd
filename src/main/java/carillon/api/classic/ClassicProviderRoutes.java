package carillon.api.classic;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.HttpException;
import carillon.job.name.Quoted;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * Handlers of the classic dialect, except cloud services and collections. Registration and
 * entitlement were the subscription's contract with Azure; here they are accepted and not stored.
 */
final class ClassicProviderRoutes {
  private static final int FIRST_REFUSAL = 400;

  private ClassicProviderRoutes() {}

  static Future<ApiResponse> entitle(ApiRequest request) {
    ClassicErrors.read(
        () -> {
          ClassicXmlReader.checkEntitlement(request.body());
          return true;
        });
    return Future.succeededFuture(ApiResponse.empty(202));
  }

  static Future<ApiResponse> register(ApiRequest request) {
    require(request, "service", "scheduler.jobcollections");
    String action = required(request, "action");
    if (!action.equalsIgnoreCase("register") && !action.equalsIgnoreCase("unregister")) {
      throw invalidParameter("action: '" + Quoted.of(action) + "' must be register or unregister");
    }
    return Future.succeededFuture(ApiResponse.empty(200));
  }

  static Future<ApiResponse> properties(ApiRequest request) {
    require(request, "resourceType", "jobcollections");
    return Future.succeededFuture(ApiResponse.xml(200, ClassicXmlWriter.providerProperties()));
  }

  /** Answers the status of an earlier request; see {@link ClassicRequestId}. */
  static Future<ApiResponse> operation(ApiRequest request) {
    String id = request.path().id();
    int status =
        ClassicRequestId.status(request.path().subscription(), id)
            .orElseThrow(
                () ->
                    HttpException.of(
                        404,
                        "ResourceNotFound",
                        "The operation '" + Quoted.of(id) + "' was not found.",
                        Map.of()));
    byte[] document =
        status < FIRST_REFUSAL
            ? ClassicXmlWriter.operation(dashed(id), 200, Optional.empty())
            : ClassicXmlWriter.operation(dashed(id), status, Optional.of(refused(status)));
    return Future.succeededFuture(ApiResponse.xml(200, document));
  }

  private static ClassicXmlWriter.XmlError refused(int status) {
    return new ClassicXmlWriter.XmlError(
        ClassicErrors.word(status), "The request was refused; its own answer says why.");
  }

  private static String dashed(String id) {
    String bare = id.replace("-", "");
    return new UUID(
            Long.parseUnsignedLong(bare, 0, 16, 16), Long.parseUnsignedLong(bare, 16, 32, 16))
        .toString();
  }

  /** A parameter of the query that must be there. */
  static String required(ApiRequest request, String parameter) {
    return request
        .query()
        .text(parameter.toLowerCase(Locale.ROOT))
        .filter(text -> !text.isBlank())
        .orElseThrow(() -> invalidParameter(parameter + ": this query parameter is missing"));
  }

  /** Refuses a parameter of the query that is not this word, in any case. */
  static void require(ApiRequest request, String parameter, String word) {
    String given = required(request, parameter);
    if (!given.equalsIgnoreCase(word)) {
      throw invalidParameter(parameter + ": '" + Quoted.of(given) + "' must be " + word);
    }
  }

  private static HttpException invalidParameter(String message) {
    return ClassicErrors.badRequest("MissingOrInvalidRequiredQueryParameter", message);
  }

  /**
   * The id of a request in the classic dialect, 32 hex digits. Clients use it to ask for the
   * outcome of the request. All work is complete when a request is answered, so the id itself
   * carries the status of that answer. Any node can read it at any time, and nothing is stored.
   *
   * <pre>8 bytes random | 22 bits random, 10 bits status hidden by the random ones | CRC-32</pre>
   *
   * <p>The checksum also covers the subscription. It distinguishes issued ids from others. It is no
   * secret: a forged id only yields its forged status.
   */
  static final class ClassicRequestId {
    private static final int STATUS_BITS = 0x3FF;
    private static final Pattern SHAPE = Pattern.compile("[0-9a-f]{32}");

    private ClassicRequestId() {}

    /** A new id for a request of this subscription that is answered with this status. */
    static String of(String subscription, int status) {
      long random = ThreadLocalRandom.current().nextLong();
      int hidden = (status ^ (int) random) & STATUS_BITS;
      int second = (ThreadLocalRandom.current().nextInt() & ~STATUS_BITS) | hidden;
      ByteBuffer id = ByteBuffer.allocate(16).putLong(random).putInt(second);
      return HexFormat.of().formatHex(id.putInt(checksum(subscription, random, second)).array());
    }

    /** The status that the request with this id was answered with, if there was such a request. */
    static OptionalInt status(String subscription, String id) {
      String bare = id.replace("-", "").toLowerCase(Locale.ROOT);
      if (!SHAPE.matcher(bare).matches()) {
        return OptionalInt.empty();
      }
      ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(bare));
      long random = bytes.getLong();
      int second = bytes.getInt();
      return bytes.getInt() == checksum(subscription, random, second)
          ? OptionalInt.of((second ^ (int) random) & STATUS_BITS)
          : OptionalInt.empty();
    }

    private static int checksum(String subscription, long random, int second) {
      CRC32 crc = new CRC32();
      crc.update(subscription.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8));
      crc.update(ByteBuffer.allocate(12).putLong(random).putInt(second).flip());
      return (int) crc.getValue();
    }
  }
}
