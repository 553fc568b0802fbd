package carillon.benchmark;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.List;
import java.util.stream.IntStream;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Probe of the heap allocation of a running Java program. Its virtual machine counts the bytes for
 * each live thread. Every method waits for the answer.
 */
final class AllocationProbe implements AutoCloseable {
  /** Prefixes of the names of threads that only serve this probe. */
  private static final List<String> OWN_THREADS = List.of("RMI ", "JMX ", "Attach ");

  private final JMXConnector connector;
  private final ThreadMXBean threads;

  private AllocationProbe(JMXConnector connector) throws IOException {
    this.connector = connector;
    this.threads =
        ManagementFactory.newPlatformMXBeanProxy(
            connector.getMBeanServerConnection(),
            ManagementFactory.THREAD_MXBEAN_NAME,
            ThreadMXBean.class);
  }

  /** Connects to the program with this process id, which must belong to the same user. */
  @SuppressWarnings("BanJNDI") // the address is that of a program that this one has started
  static AllocationProbe attach(long pid) {
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
      String address = machine.startLocalManagementAgent();
      machine.detach();
      return new AllocationProbe(JMXConnectorFactory.connect(new JMXServiceURL(address)));
    } catch (AttachNotSupportedException e) {
      throw new IllegalStateException("cannot ask process " + pid, e);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot ask process " + pid, e);
    }
  }

  /** Returns the bytes allocated so far, without those of the probe itself. */
  long bytes() {
    long[] ids = threads.getAllThreadIds();
    ThreadInfo[] infos = threads.getThreadInfo(ids);
    long[] allocated = threads.getThreadAllocatedBytes(ids);
    return IntStream.range(0, ids.length)
        .filter(i -> isOfProgram(infos[i]))
        .mapToLong(i -> Math.max(0, allocated[i]))
        .sum();
  }

  /**
   * Whether the thread belongs to the program and not to this probe. False for a thread that has
   * ended in the meantime.
   */
  private static boolean isOfProgram(ThreadInfo thread) {
    return thread != null && OWN_THREADS.stream().noneMatch(thread.getThreadName()::startsWith);
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
