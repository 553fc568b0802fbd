package carillon.benchmark;

import io.vertx.core.buffer.Buffer;

/**
 * An HTTP answer as it was read.
 *
 * @param whole head and body
 * @param bodyAt where the body begins
 */
record HttpResponse(int status, Buffer whole, int bodyAt) {

  boolean isSuccess() {
    return status / 100 == 2;
  }

  String body() {
    return whole.getString(bodyAt, whole.length());
  }
}
