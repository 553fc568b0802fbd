-- hold_for_collection: hold a claimed attempt back until its disabled collection is enabled; if that was enabled meanwhile, the attempt is due again.
-- KEYS[1] hash  {17}:claims:<node>
-- KEYS[2] zset  {17}:held:<coll>   attempt -> epoch ms at which it was due
-- KEYS[3] hash  {17}:gates
-- KEYS[4] zset  {17}:due
-- ARGV[1] text  claim
-- ARGV[2] int   due         epoch ms
-- ARGV[3] text  collection
-- returns word: HELD, DUE or LOST
-- cost    O(log n)
-- include: checked_call
-- include: unclaimed
local claims, held, gates, due = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
if checked_call('HDEL', claims, ARGV[1]) == 0 then return 'LOST' end
local closed = string.sub(checked_call('HGET', gates, ARGV[3]) or '', 1, 7) == 'closed '
checked_call('ZADD', closed and held or due, ARGV[2], unclaimed(ARGV[1]))
return closed and 'HELD' or 'DUE'
