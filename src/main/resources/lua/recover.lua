-- recover: make the claims of a dead node due again, each marked with one more crash.
-- KEYS[1] hash  {17}:claims:<dead node>
-- KEYS[2] zset  {17}:due
-- ARGV[1] int   due    epoch ms
-- ARGV[2] int   limit  1..256
-- ARGV[3] text  judged ISO, when the node was judged dead. It keeps later claims, made after it came back; '' to recover
--                      all claims
-- returns int   number of recovered claims; fewer than limit means that none remains
-- cost    O(limit * log n)
-- include: checked_call
-- include: unclaimed
local claims, due, judged = KEYS[1], KEYS[2], (string.gsub(ARGV[3], 'Z$', ''))
local taken = checked_call('HRANDFIELD', claims, ARGV[2], 'WITHVALUES')
local moved = 0
for i = 1, #taken, 2 do
  local since = string.gsub(taken[i + 1], 'Z$', '') -- without it, texts sort like instants
  if judged == '' or since <= judged then
    redis.call('HDEL', claims, taken[i])
    checked_call('ZADD', due, ARGV[1], crashed(unclaimed(taken[i]), 1))
    moved = moved + 1
  end
end
return moved
