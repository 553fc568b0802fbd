package carillon.api.http;

import carillon.job.Precondition;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.job.name.Quoted;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Preconditions of requests: If-Match and If-None-Match (RFC 9110). The ETag of a resource is its
 * revision in quotes.
 */
public final class EtagPreconditions {
  private static final CharSequence MATCH = HttpHeaders.createOptimized("If-Match");
  private static final CharSequence NONE_MATCH = HttpHeaders.createOptimized("If-None-Match");
  private static final Pattern REVISION = Pattern.compile("\"(\\d{1,18})\"");

  /** Revision for a foreign ETag. No resource has it. */
  private static final long NEVER = -1;

  private EtagPreconditions() {}

  /** The precondition of a write. */
  public static Precondition ofWrite(HttpServerRequest request) {
    String match = request.getHeader(MATCH);
    String noneMatch = request.getHeader(NONE_MATCH);
    if (noneMatch == null) {
      return match == null ? Precondition.NONE : matching(match.trim());
    }
    if (match != null) {
      throw JobException.invalid("If-Match and If-None-Match cannot be used together");
    }
    if (!noneMatch.trim().equals("*")) {
      throw JobException.invalid(
          NONE_MATCH + ": '" + Quoted.of(noneMatch) + "' must be '*' in a request that writes");
    }
    return Precondition.ABSENT;
  }

  public static Precondition matching(String match) {
    if (match.equals("*")) {
      return Precondition.PRESENT;
    }
    Matcher revision = REVISION.matcher(match);
    return Precondition.revision(revision.matches() ? Long.parseLong(revision.group(1)) : NEVER);
  }

  /**
   * Checks a condition on a resource at this revision. Fails with PRECONDITION_FAILED unless it
   * holds.
   */
  public static void check(Precondition condition, long revision, String what) {
    if (!condition.holds(revision)) {
      throw new JobException(
          ErrorCode.PRECONDITION_FAILED,
          what
              + " is at revision \""
              + revision
              + "\"; If-Match or If-None-Match asks for another.");
    }
  }

  /** Returns the answer to a read: 304 if If-None-Match names the current revision. */
  public static ApiResponse unlessKnown(
      HttpServerRequest request, long revision, Supplier<ApiResponse> answer) {
    return isKnown(request, revision)
        ? ApiResponse.empty(304).withRevision(revision)
        : answer.get();
  }

  private static boolean isKnown(HttpServerRequest request, long revision) {
    String noneMatch = request.getHeader(NONE_MATCH);
    String etag = "\"" + revision + "\"";
    return noneMatch != null
        && Stream.of(noneMatch.split(","))
            .map(String::trim)
            .anyMatch(tag -> tag.equals("*") || tag.equals(etag) || tag.equals("W/" + etag));
  }
}
