-- recover: let the claims of a dead node wait again, each marked with one more crash.
-- KEYS[1] hash  {17}:claims:<dead node>
-- KEYS[2] zset  {17}:due
-- ARGV[1] int   due    epoch ms
-- ARGV[2] int   limit  1..256
-- returns int   how many were moved; fewer than limit means that none is left
-- cost    O(limit * log n)
-- include: mend
-- include: unclaimed
local claims, due = KEYS[1], KEYS[2]
local held = mend('HRANDFIELD', claims, ARGV[2])
for _, claim in ipairs(held) do
  redis.call('HDEL', claims, claim)
  mend('ZADD', due, ARGV[1], crashed(unclaimed(claim), 1))
end
return #held
