-- find_put_off: whom what was put off in one partition calls.
-- KEYS[1] zset  {17}:due
-- ARGV[1] int   now      epoch ms; what is due until then needs no looking for
-- ARGV[2] text  prefix   of the jobs' keys, "carillon:{17}:job:"
-- derived hash  {17}:job:<job> of each entry that was put off
-- returns {until, uri, ...}: the instant (epoch ms) of the last that was seen, '' if none; and what some of their jobs call, one uri
--         for each scheme, host and port, at most 32
-- cost    O(log n) and up to 1,024 entries, of which 256 were put off
-- include: checked_call
local list, after, prefix = KEYS[1], '(' .. ARGV[1], ARGV[2]

local reply, seen, known = {''}, 0, {}
local function note(member, instant)
  seen, reply[1] = seen + 1, instant
  local definition = redis.pcall('HGET', prefix .. (string.match(member, '^%a+:(%S+)') or member), 'definition')
  local uri = type(definition) == 'string' and string.match(definition, '"action":{"request":{"uri":"([^"]*)"')
  local origin = uri and string.match(uri, '^[^/]*//[^/?#]*')
  if origin and not known[origin] and #reply <= 32 then
    known[origin] = true
    reply[#reply + 1] = uri
  end
end
for offset = 0, 1023, 128 do
  local entries = checked_call('ZRANGE', list, after, '+inf', 'BYSCORE', 'LIMIT', offset, 128, 'WITHSCORES')
  for i = 1, #entries, 2 do
    if seen < 256 and string.sub(entries[i + 1], -2) == '.5' then note(entries[i], entries[i + 1]) end
  end
  if #entries < 256 or seen == 256 then break end
end
return reply
