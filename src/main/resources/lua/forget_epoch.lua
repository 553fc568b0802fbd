-- forget_epoch: remove the fence of a collection, unless it also holds for a later epoch.
-- KEYS[1] hash  {17}:epochs
-- ARGV[1] text  collection   "<sub>/<group>/<coll>"
-- ARGV[2] int   epoch
-- returns word: FORGOTTEN or KEPT
-- cost    O(1)
-- include: checked_call
-- include: epoch_fence
if fence_of(KEYS[1], ARGV[1] .. '/') ~= tonumber(ARGV[2]) then return 'KEPT' end
redis.call('HDEL', KEYS[1], ARGV[1])
return 'FORGOTTEN'
