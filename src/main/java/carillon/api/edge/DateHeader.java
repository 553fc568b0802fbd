package carillon.api.edge;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Header {@code Date} of answers, formatted once a second. Confined to an event loop. */
public final class DateHeader {
  private static final long SECOND = 1000;
  private static final DateTimeFormatter FORM =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private final InstantSource clock;
  private long second = Long.MIN_VALUE;
  private CharSequence text = "";

  public DateHeader(InstantSource clock) {
    this.clock = clock;
  }

  /** Puts the header of this second. */
  public void put(HttpServerResponse response) {
    long now = Math.floorDiv(clock.millis(), SECOND);
    if (now != second) {
      text = HttpHeaders.createOptimized(FORM.format(Instant.ofEpochSecond(now)));
      second = now;
    }
    response.putHeader(HttpHeaders.DATE, text);
  }
}
