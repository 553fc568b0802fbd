-- recover: let the claims of a dead node wait again, each marked with one more crash.
-- KEYS[1] hash  {17}:claims:<dead node>
-- KEYS[2] zset  {17}:due
-- ARGV[1] int   due    epoch ms
-- ARGV[2] int   limit  1..256
-- returns int   how many were moved; fewer than limit means that none is left
-- cost    O(limit * log n)
-- include: mend
local claims, due = KEYS[1], KEYS[2]
local runs = mend('HRANDFIELD', claims, ARGV[2])
for _, run in ipairs(runs) do
  redis.call('HDEL', claims, run)
  local marked = string.gsub(run, 'crashes=(%d+)$', function(n) return 'crashes=' .. (tonumber(n) + 1) end)
  mend('ZADD', due, ARGV[1], marked)
end
return #runs
