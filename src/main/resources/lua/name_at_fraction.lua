-- name_at_fraction: count the job names of a collection and partition in a range, and find the name at a fraction of the range.
-- KEYS[1] zset   {17}:jobs:<coll>   "<state>/<job name>" -> 0
-- ARGV[1] text   after      name before the range, '' for the beginning
-- ARGV[2] text   upto       last name of the range, '' for the end
-- ARGV[3] float  fraction   0 <= fraction < 1: the part of the range before the name
-- ARGV[4..]      states     to count: enabled, disabled, completed, faulted
-- returns for each state {count, name}; name is '' if count is 0
-- cost    O(states * log n)
local index, after, upto, fraction = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3])
local reply = {}
for i = 4, #ARGV do
  local state = ARGV[i]
  local first = redis.call('ZLEXCOUNT', index, '-', '[' .. state .. '/' .. after)
  local to = upto == '' and '(' .. state .. '0' or '[' .. state .. '/' .. upto
  local count = redis.call('ZLEXCOUNT', index, '-', to) - first
  local name = ''
  if count > 0 then
    local rank = first + math.floor(count * fraction)
    name = string.sub(redis.call('ZRANGE', index, rank, rank)[1], #state + 2)
  end
  reply[i - 3] = {count, name}
end
return reply
