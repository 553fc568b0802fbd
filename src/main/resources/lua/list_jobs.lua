-- list_jobs: return the names of a collection's jobs in one partition, in order, after a given name.
-- KEYS[1] zset  {17}:jobs:<coll>   "<state>/<job name>" -> 0
-- ARGV[1] text  after    name to begin after, '' for the beginning
-- ARGV[2] int   limit    1..256 for each state
-- ARGV[3..]     states   to list: enabled, disabled, completed, faulted
-- returns for each state an array of names, in order
-- cost    O(states * (log n + limit))
local index, after, limit = KEYS[1], ARGV[1], ARGV[2]
local reply = {}
for i = 3, #ARGV do
  local state = ARGV[i]
  -- '0' is the character after '/', so this ends the range of the state.
  local names = redis.call('ZRANGE', index, '(' .. state .. '/' .. after, '(' .. state .. '0', 'BYLEX', 'LIMIT', 0, limit)
  for j, member in ipairs(names) do names[j] = string.sub(member, #state + 2) end
  reply[i - 2] = names
end
return reply
