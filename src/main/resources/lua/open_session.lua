-- open_session: store a session that was opened with an API key, or at the token issuer.
-- KEYS[1] zset  {access}:sessions:<id of the key or the person>  hash of a session -> its end (epoch ms)
-- ARGV[1] text  session   its hash
-- ARGV[2] int   now       epoch ms
-- ARGV[3] int   ends      epoch ms, later than now
-- ARGV[4] int   max       sessions of a key or person, > 0; a further session removes the one that ends first
-- returns int: 1
-- cost    O(log n + expired sessions)
local sessions, session = KEYS[1], ARGV[1]
local now, ends, max = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])

redis.call('ZREMRANGEBYSCORE', sessions, '-inf', now)
redis.call('ZREMRANGEBYRANK', sessions, 0, -max)
redis.call('ZADD', sessions, ends, session)
local last = redis.call('ZRANGE', sessions, -1, -1, 'WITHSCORES')[2]
redis.call('PEXPIRE', sessions, tonumber(last) - now)
return 1
