-- open_session: store a session that was opened with an API key, or at the issuer of tokens.
-- KEYS[1] zset  {access}:sessions:<id of the key or the person>  hash of a session -> when it ends (epoch ms)
-- ARGV[1] text  session   its hash
-- ARGV[2] int   now       epoch ms
-- ARGV[3] int   ends      epoch ms, later than now
-- ARGV[4] int   max       sessions that a key or person may have, > 0; beyond them the one that ends first is over
-- returns int: 1
-- cost    O(log n + sessions that are over)
local sessions, session = KEYS[1], ARGV[1]
local now, ends, max = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])

redis.call('ZREMRANGEBYSCORE', sessions, '-inf', now)
redis.call('ZREMRANGEBYRANK', sessions, 0, -max)
redis.call('ZADD', sessions, ends, session)
local last = redis.call('ZRANGE', sessions, -1, -1, 'WITHSCORES')[2]
redis.call('PEXPIRE', sessions, tonumber(last) - now)
return 1
