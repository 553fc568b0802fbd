package carillon.fsck;

import carillon.fsck.FsckDamages.Damage;
import carillon.support.RedisCluster;
import carillon.support.TestRedis;
import java.util.Set;
import java.util.stream.Stream;

/** Tests with one example of each kind of proof and repair of damage, on a Redis Cluster. */
class ClusterFsckTest extends FsckTest {
  private static final Set<String> HERE =
      Set.of(
          "due entry gone",
          "run lost and still counted",
          "entry without job",
          "listed without job",
          "claims of an unknown node",
          "no quota entry",
          "quota entry without job",
          "collection gone",
          "disabled marker of an enabled collection",
          "collection that nobody buries",
          "definition cut short",
          "due is a text",
          "disabled markers are a text");

  @Override
  TestRedis redis() {
    return RedisCluster.shared();
  }

  static Stream<Damage> damages() {
    return FsckDamages.all().filter(damage -> HERE.contains(damage.name()));
  }
}
