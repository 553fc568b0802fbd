-- find_jobs: find jobs of a collection in one partition by a part of their name, their last outcome and their labels, and return two fields of each.
-- KEYS[1] zset  {17}:jobs:<coll>   "<state>/<job name>" -> 0
-- ARGV[1] text  after     name to begin after, '' for the beginning
-- ARGV[2] text  upto      name to end before, '' for the end
-- ARGV[3] int   limit     1..256 / states: maximum number of names to read, for each state
-- ARGV[4] text  part      of the name, '' for any
-- ARGV[5] text  outcome   of the last attempt: completed, failed, skipped; none if never attempted; '' for any
-- ARGV[6] text  field     of a job's hash to return, '' for none
-- ARGV[7] text  second    field to return
-- ARGV[8] text  prefix    of the jobs' keys, "carillon:{17}:job:<coll>/"
-- ARGV[9] text  labels    that a job must have, in the form of definitions, "name":"value", one per line; '' for any
-- ARGV[10..]    states    to find: enabled, disabled, completed, faulted
-- derived hash  {17}:job:<coll>/<job name>
-- returns for each state {the last name read, '' if there are no more; names found, in order; the two fields of each name, '' if absent}
-- cost    O(states * (log n + limit)), and for labels at most about 1 MiB of definitions
local index, after, upto, limit, part, outcome = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5]
local field, second, prefix = ARGV[6], ARGV[7], ARGV[8]

local function last_outcome(name)
  local entry = redis.pcall('HGET', prefix .. name, 'latest')
  return type(entry) == 'string' and string.match(entry, '"status":"(%l+)"') or 'none'
end

local labels, bytes = {}, 0
for label in string.gmatch(ARGV[9], '[^\n]+') do labels[#labels + 1] = label end

-- A definition begins with its labels, whose names and values have no braces and no quotes.
local function has_labels(name)
  if #labels == 0 then return true end
  local definition = redis.pcall('HGET', prefix .. name, 'definition')
  if type(definition) ~= 'string' then return false end
  bytes = bytes + #definition
  local own = string.match(definition, '^{"labels":{([^}]*)}') or ''
  for _, label in ipairs(labels) do
    if not string.find(own, label, 1, true) then return false end
  end
  return true
end

local function tell(name, values)
  if field == '' then return end
  local read = redis.pcall('HMGET', prefix .. name, field, second)
  values[#values + 1] = read[1] or ''
  values[#values + 1] = read[2] or ''
end

local reply = {}
for i = 10, #ARGV do
  local state = ARGV[i]
  -- '0' is the character after '/', so this ends the range of the state.
  local to = upto == '' and '(' .. state .. '0' or '(' .. state .. '/' .. upto
  local names = redis.call('ZRANGE', index, '(' .. state .. '/' .. after, to, 'BYLEX', 'LIMIT', 0, limit)
  local found, values, goes_on, last = {}, {}, #names == limit, ''
  for at, member in ipairs(names) do
    last = string.sub(member, #state + 2)
    if (part == '' or string.find(last, part, 1, true)) and (outcome == '' or last_outcome(last) == outcome) and has_labels(last) then
      found[#found + 1] = last
      tell(last, values)
    end
    if bytes > 1048576 and at < #names then goes_on = true break end
  end
  reply[i - 9] = {goes_on and last or '', found, values}
end
return reply
