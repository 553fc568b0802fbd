-- reset_flow: let a flow begin anew: its bucket is full, its breakers closed, and nobody asks for rest. What is in flight stays.
-- KEYS[1] hash  flow:<flow>   see flow_take
-- returns int   1 where there was something, else 0
-- cost    O(nodes + destinations of which state is kept)
-- include: checked_call
local flow = KEYS[1]
if checked_call('HEXISTS', flow, 'as_of') == 0 then return 0 end
local forgotten = {}
for _, name in ipairs({'tokens', 'full', 'breaker', 'until', 'opens', 'window', 'calls', 'failures', 'row', 'probing', 'probe_until', 'recovered',
  'retry_at'}) do forgotten[name] = true end
redis.call('HINCRBY', flow, 'generation', 1) -- what is in flight tells nothing any more
for _, field in ipairs(redis.call('HKEYS', flow)) do
  local name, destination = string.match(field, '^([%a_]+)(.*)$')
  if name == 'seen' then redis.call('HINCRBY', flow, 'generation' .. destination, 1)
  elseif forgotten[name] then redis.call('HDEL', flow, field) end
end
return 1
