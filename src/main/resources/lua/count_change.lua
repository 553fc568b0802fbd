-- count_change (a fragment, pulled in by "-- include: count_change"): increment the number of changes of named resources.
-- resources  hash  see put_resource
-- now        int   epoch ms, more than any count. It replaces an invalid number, caused by a manual change or a bug
-- returns nothing
-- cost    O(1)
local function count_change(resources, now)
  local counted = redis.pcall('HINCRBY', resources, 'revision', 1)
  if type(counted) == 'table' then redis.call('HSET', resources, 'revision', string.format('%.0f', now)) end
end
