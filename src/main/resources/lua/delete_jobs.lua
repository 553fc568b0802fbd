-- delete_jobs: remove some jobs of a collection that is being deleted.
-- KEYS[1] zset  {17}:jobs:<coll>
-- KEYS[2] zset  {17}:due
-- KEYS[3] zset  {17}:gated:<coll>
-- ARGV[1] int   limit        1..256
-- ARGV[2] text  jobs         prefix of the jobs' keys, "carillon:{17}:job:<sub>/<group>/<coll>/"
-- ARGV[3] text  histories    prefix of the histories' keys, likewise
-- ARGV[4] text  collection   "<sub>/<group>/<coll>/"
-- derived hash  {17}:job:<job>, list {17}:history:<job> of each
-- returns int   how many were removed; fewer than limit means that none is left
-- cost    O(limit * log n)
local index, due, gated = KEYS[1], KEYS[2], KEYS[3]
local members = redis.call('ZRANGE', index, 0, tonumber(ARGV[1]) - 1)
for _, member in ipairs(members) do
  local name = string.match(member, '[^/]+$')
  redis.call('UNLINK', ARGV[2] .. name, ARGV[3] .. name)
  redis.call('ZREM', due, 'job:' .. ARGV[4] .. name, 'purge:' .. ARGV[4] .. name)
  redis.call('ZREM', index, member)
end
if #members < tonumber(ARGV[1]) then redis.call('UNLINK', gated) end
return #members
