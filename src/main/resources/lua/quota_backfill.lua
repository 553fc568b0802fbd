-- quota_backfill: add existing jobs to a new quota of their collection.
-- KEYS[1] hash  collection:<sub>/<group>/<coll>
-- KEYS[2] zset  quota:{...}
-- ARGV[1] int   epoch  to which this count belongs
-- ARGV[2..]     jobs   folded names, at most 256; none if all have been counted
-- returns word: COUNTED, or OVER if the count is complete or no longer wanted
-- cost    O(jobs * log n)
local collection, quota = KEYS[1], KEYS[2]

local state = redis.call('HMGET', collection, 'epoch', 'quotaPending')
if (state[1] or '0') ~= ARGV[1] or not state[2] then return 'OVER' end
for i = 2, #ARGV do redis.call('ZADD', quota, 'NX', 0, ARGV[i]) end
if #ARGV == 1 then redis.call('HDEL', collection, 'quotaPending') end
return 'COUNTED'
