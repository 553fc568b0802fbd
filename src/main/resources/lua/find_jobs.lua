-- find_jobs: find jobs of a collection in one partition by a part of their name and the outcome of their last attempt.
-- KEYS[1] zset  {17}:jobs:<coll>   "<state>/<job name>" -> 0
-- ARGV[1] text  after     name after which to begin, '' for the beginning
-- ARGV[2] int   limit     1..256 / states: names looked at, for each state
-- ARGV[3] text  part      of the name, '' for any
-- ARGV[4] text  outcome   completed, failed, skipped; none: never attempted; '' for any
-- ARGV[5] text  prefix    of the jobs' keys, "carillon:{17}:job:<coll>/"
-- ARGV[6..]     states    enabled, disabled, completed, faulted: those wanted
-- derived hash  {17}:job:<coll>/<job name>
-- returns for each state {the last name looked at, '' when there are no more; names found, in order}
-- cost    O(states * (log n + limit))
local index, after, limit, part, outcome, prefix = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]

local function last_outcome(name)
  local entry = redis.pcall('HGET', prefix .. name, 'latest')
  return type(entry) == 'string' and string.match(entry, '"status":"(%l+)"') or 'none'
end

local reply = {}
for i = 6, #ARGV do
  local state = ARGV[i]
  -- '0' is the character after '/', so this ends the range of the state.
  local names = redis.call('ZRANGE', index, '(' .. state .. '/' .. after, '(' .. state .. '0', 'BYLEX', 'LIMIT', 0, limit)
  local found = {}
  for _, member in ipairs(names) do
    local name = string.sub(member, #state + 2)
    if (part == '' or string.find(name, part, 1, true)) and (outcome == '' or last_outcome(name) == outcome) then
      found[#found + 1] = name
    end
  end
  reply[i - 5] = {#names == limit and string.sub(names[limit], #state + 2) or '', found}
end
return reply
