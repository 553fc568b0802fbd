-- raise_format: raise the newest format that a program writes to this Redis, or the oldest that one must read here; never lower it.
-- KEYS[1] hash  meta
-- ARGV[1] text  field    format | schema
-- ARGV[2] int   format
-- returns word: RAISED, or KEPT
-- cost    O(1)
local field, format = ARGV[1], tonumber(ARGV[2])
if format <= (tonumber(redis.call('HGET', KEYS[1], field)) or 0) then return 'KEPT' end
redis.call('HSET', KEYS[1], field, format)
return 'RAISED'
