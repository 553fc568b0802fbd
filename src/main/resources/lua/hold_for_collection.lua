-- hold_for_collection: hold a claimed attempt back until its disabled collection is enabled, or the pause of its group or of everything ends; if that
-- has ended since, the attempt is due again.
-- KEYS[1] hash  {17}:claims:<node>
-- KEYS[2] zset  {17}:held:<coll>   attempt -> epoch ms at which it was due; held by the marker of the collection
-- KEYS[3] hash  {17}:gates
-- KEYS[4] zset  {17}:due
-- KEYS[5] zset  {17}:held:<group>  likewise, by the marker of the group
-- KEYS[6] zset  {17}:held:*        likewise, by that of everything
-- ARGV[1] text  claim
-- ARGV[2] int   due         epoch ms
-- ARGV[3] text  collection
-- ARGV[4] text  now         ISO
-- returns word: HELD, DUE or LOST
-- cost    O(log n)
-- include: checked_call
-- include: unclaimed
-- include: closed_marker
local claims, held, gates, due = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
if checked_call('HDEL', claims, ARGV[1]) == 0 then return 'LOST' end
local closed = closed_marker(gates, ARGV[3], ARGV[4])
local list = closed and (closed == ARGV[3] and held or closed == '*' and KEYS[6] or KEYS[5])
checked_call('ZADD', list or due, ARGV[2], unclaimed(ARGV[1]))
return closed and 'HELD' or 'DUE'
