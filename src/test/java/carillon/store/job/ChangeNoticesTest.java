package carillon.store.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.store.job.ChangeNotices.Kind;
import carillon.store.job.ChangeNotices.Notice;
import carillon.support.RedisServer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of notices to all nodes. */
class ChangeNoticesTest extends StoreFixture {
  @Test
  void aNoticeOfALaterVersionDoesNotHideTheNext() {
    RedisServer.shared().ask("XADD carillon:notices * renamed sub/group/old");
    engine.stores(stores -> stores.job().changeNotices().add(Kind.FLOW, "sub/group/crm"));

    List<Notice> notices = engine.stores(stores -> stores.job().changeNotices().after("0-0"));

    assertEquals(
        List.of(Optional.empty(), Optional.of(Kind.FLOW)),
        notices.stream().map(Notice::kind).toList());
    assertEquals("sub/group/crm", notices.get(1).key());
  }
}
