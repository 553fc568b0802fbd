package carillon.dispatch.servicebus;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.proton.ProtonDelivery;
import io.vertx.proton.ProtonSender;
import java.nio.BufferOverflowException;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.message.Message;

/**
 * Link to one queue or topic. Sends at most as many messages as the broker's credit allows, with at
 * most a window of unacknowledged ones. Further messages wait here until their sender gives up.
 * Confined to the event loop of its connection.
 */
final class BusSender {
  /** Limit of all properties of a message in bytes, unless the deployment allows large jobs. */
  private static final int USUAL_PROPERTIES = 64 * 1024;

  private final ProtonSender link;
  private final int window;
  private final ArrayDeque<Send> waiting = new ArrayDeque<>();
  private final Set<Send> inFlight = new HashSet<>();
  private boolean retired;

  private BusSender(ProtonSender link, int window) {
    this.link = link;
    this.window = window;
  }

  /** A message under way. */
  private record Send(Message message, Runnable check, Promise<Void> outcome) {
    boolean isOver() {
      return outcome.future().isComplete();
    }

    /** Whether it may be sent now; if not it is over. */
    boolean mayGo() {
      try {
        check.run();
        return true;
      } catch (RuntimeException e) {
        outcome.tryFail(e);
        return false;
      }
    }
  }

  /**
   * Attaches the link; the future fails with a {@link BrokerException} if the broker refuses it. To
   * refuse, a broker first attaches without a target, and then reports the reason.
   */
  static Future<BusSender> open(ProtonSender link, int window, Runnable closed) {
    Promise<BusSender> opened = Promise.promise();
    BusSender sender = new BusSender(link, window);
    link.setAutoDrained(true);
    link.openHandler(
        outcome -> {
          if (outcome.succeeded() && link.getRemoteTarget() != null) {
            opened.tryComplete(sender);
          } else if (outcome.failed()) {
            opened.tryFail(refusal(link));
          }
        });
    Handler<AsyncResult<ProtonSender>> ended =
        outcome -> {
          opened.tryFail(refusal(link));
          closed.run();
          sender.fail(refusal(link));
        };
    link.closeHandler(ended).detachHandler(ended);
    link.sendQueueDrainHandler(drained -> sender.pump());
    link.open();
    return opened.future();
  }

  private static BrokerException refusal(ProtonSender link) {
    return BrokerException.of(link.getRemoteCondition());
  }

  /**
   * Sends a message when it is its turn.
   *
   * @param check run right before it is sent; when it throws, that is the outcome
   * @param outcome completed when the broker has accepted it; when it is completed before, the
   *     message is not sent any more, or its acknowledgement no longer waited for
   */
  void send(Message message, Runnable check, Promise<Void> outcome) {
    if (isTooLarge(message)) {
      outcome.tryFail(
          BrokerException.of(
              "amqp:link:message-size-exceeded",
              "the link takes " + link.getRemoteMaxMessageSize() + " bytes"));
      return;
    }
    Send send = new Send(message, check, outcome);
    waiting.add(send);
    pump();
    outcome.future().onComplete(done -> ended(send));
  }

  /** The broker would close the link, with everything else under way on it. */
  private boolean isTooLarge(Message message) {
    UnsignedLong most = link.getRemoteMaxMessageSize();
    int body = ((Data) message.getBody()).getValue().getLength();
    if (most == null || most.longValue() <= 0 || body + USUAL_PROPERTIES < most.longValue()) {
      return false;
    }
    return body >= most.longValue() || !fits(message, most.intValue());
  }

  private static boolean fits(Message message, int bytes) {
    try {
      message.encode(new byte[bytes], 0, bytes);
      return true;
    } catch (BufferOverflowException e) {
      return false;
    }
  }

  private void pump() {
    while (!waiting.isEmpty() && !link.sendQueueFull() && inFlight.size() < window) {
      Send next = waiting.poll();
      if (!next.isOver() && next.mayGo()) {
        inFlight.add(next);
        link.send(next.message, delivery -> settled(next, delivery));
      }
    }
  }

  private static void settled(Send send, ProtonDelivery delivery) {
    DeliveryState state = delivery.getRemoteState();
    if (state instanceof Accepted) {
      send.outcome.tryComplete();
    } else if (state instanceof Rejected rejected) {
      send.outcome.tryFail(BrokerException.of(rejected.getError()));
    } else {
      send.outcome.tryFail(
          BrokerException.of("amqp:released", "the broker did not take the message"));
    }
  }

  /** A place in the window is free again. */
  private void ended(Send send) {
    if (!inFlight.remove(send)) {
      waiting.remove(send);
    }
    pump();
    closeWhenDone();
  }

  /** Whether messages are under way. */
  boolean isBusy() {
    return !waiting.isEmpty() || !inFlight.isEmpty();
  }

  /** Closes the link as soon as no message is pending. The caller must not send any more. */
  void retire() {
    retired = true;
    closeWhenDone();
  }

  private void closeWhenDone() {
    if (retired && !isBusy() && link.isOpen()) {
      link.closeHandler(closed -> {});
      link.close();
    }
  }

  /** Ends everything under way. */
  private void fail(Throwable cause) {
    Set.copyOf(inFlight).forEach(send -> send.outcome.tryFail(cause));
    Set.copyOf(waiting).forEach(send -> send.outcome.tryFail(cause));
  }
}
