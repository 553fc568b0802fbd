-- compare_and_execute: perform commands if all conditions hold. Used for a repair, or without commands to prove a finding.
-- KEYS[1..n]  whatever the conditions and commands use, all in one slot
-- ARGV[1]     int   conditions, 0..256; each is: number of words, command, index into KEYS, arguments..., expected
--                   expected: "nil", or "=" and the reply as text ("=1"); numbers are compared as numbers
-- ARGV[..]    int   commands, 0..256; each is: number of words, command, index into KEYS, arguments...
--                   the argument of RENAME is an index into KEYS too
-- derived     the new name of RENAME, with a number from 2 appended if that name exists
-- returns word: DONE, or CHANGED if a condition does not hold
-- cost    O(conditions + commands); each of them accesses a single field, member or length
local at = 1
local function read()
  at = at + 1
  return ARGV[at - 1]
end

local function free(name)
  local free_name, number = name, 1
  while redis.call('EXISTS', free_name) == 1 do
    number = number + 1
    free_name = name .. ':' .. number
  end
  return free_name
end

local function command()
  local words = {}
  for i = 1, tonumber(read()) do words[i] = read() end
  words[2] = KEYS[tonumber(words[2])]
  if words[1] == 'RENAME' then words[3] = free(KEYS[tonumber(words[3])]) end
  return words
end

local function text(reply)
  if type(reply) == 'table' then reply = reply.ok or reply.err end
  return reply and '=' .. tostring(reply) or 'nil'
end

for _ = 1, tonumber(read()) do
  local found, expected = text(redis.pcall(unpack(command()))), read()
  local numbers = tonumber(string.sub(found, 2)) or found
  if found ~= expected and numbers ~= tonumber(string.sub(expected, 2)) then return 'CHANGED' end
end
for _ = 1, tonumber(read()) do redis.call(unpack(command())) end
return 'DONE'
