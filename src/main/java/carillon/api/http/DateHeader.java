package carillon.api.http;

import io.netty.handler.codec.DateFormatter;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.time.InstantSource;
import java.util.Date;

/** Header {@code Date} of answers, formatted once a second. Confined to an event loop. */
public final class DateHeader {
  private static final long SECOND = 1000;

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
      text = HttpHeaders.createOptimized(DateFormatter.format(new Date(now * SECOND)));
      second = now;
    }
    response.putHeader(HttpHeaders.DATE, text);
  }
}
