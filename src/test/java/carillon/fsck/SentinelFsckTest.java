package carillon.fsck;

import carillon.fsck.FsckDamages.Damage;
import carillon.support.RedisSentinels;
import carillon.support.TestRedis;
import java.util.Set;
import java.util.stream.Stream;

/** Tests of some kinds of proof and repair of damage, on a master that Sentinels watch. */
class SentinelFsckTest extends FsckTest {
  private static final Set<String> HERE =
      Set.of("due entry gone", "run lost and still counted", "no quota entry", "due is a text");

  @Override
  TestRedis redis() {
    return RedisSentinels.shared();
  }

  static Stream<Damage> damages() {
    return FsckDamages.all().filter(damage -> HERE.contains(damage.name()));
  }
}
