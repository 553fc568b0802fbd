-- raise_format: store the newest format that a program writes to this Redis; never lower it.
-- KEYS[1] hash  meta
-- ARGV[1] int   format
-- returns word: RAISED, or KEPT
-- cost    O(1)
local format = tonumber(ARGV[1])
if format <= (tonumber(redis.call('HGET', KEYS[1], 'format')) or 0) then return 'KEPT' end
redis.call('HSET', KEYS[1], 'format', ARGV[1])
return 'RAISED'
