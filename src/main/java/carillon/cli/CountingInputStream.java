package carillon.cli;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts what is read of a file, for a percentage. */
final class CountingInputStream extends FilterInputStream {
  private long count;

  CountingInputStream(InputStream in) {
    super(in);
  }

  @Override
  public int read() throws IOException {
    int read = super.read();
    count += read < 0 ? 0 : 1;
    return read;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int read = super.read(bytes, offset, length);
    count += Math.max(0, read);
    return read;
  }

  /** Bytes read so far. */
  long count() {
    return count;
  }
}
