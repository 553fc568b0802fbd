-- count_jobs: count the jobs of some collections in one partition, by state.
-- KEYS[1..]     zsets {17}:jobs:<coll>   "<state>/<job name>" -> 0; 1..64 of them
-- ARGV[1..]     states to count: enabled, disabled, completed, faulted
-- returns for each state the number of jobs
-- cost    O(keys * states * log n)
local reply = {}
for i, state in ipairs(ARGV) do
  local count = 0
  -- '0' is the character after '/', so this ends the range of the state.
  for _, index in ipairs(KEYS) do count = count + redis.call('ZLEXCOUNT', index, '(' .. state .. '/', '(' .. state .. '0') end
  reply[i] = count
end
return reply
