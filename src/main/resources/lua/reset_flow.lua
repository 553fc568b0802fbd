-- reset_flow: reset a flow: its bucket is full, its breakers are closed, and no Retry-After applies. Calls in flight stay counted.
-- KEYS[1] hash  flow:<flow>   see flow_take
-- returns int   1 if it had a state, else 0
-- cost    O(nodes + destinations with state)
-- include: checked_call
local flow = KEYS[1]
if checked_call('HEXISTS', flow, 'as_of') == 0 then return 0 end
local forgotten = {}
for _, name in ipairs({'tokens', 'full', 'breaker', 'until', 'opens', 'window', 'calls', 'failures', 'row', 'probing', 'probe_until', 'recovered',
  'retry_at'}) do forgotten[name] = true end
redis.call('HINCRBY', flow, 'generation', 1) -- outcomes of calls in flight no longer count
for _, field in ipairs(redis.call('HKEYS', flow)) do
  local name, destination = string.match(field, '^([%a_]+)(.*)$')
  if name == 'seen' then redis.call('HINCRBY', flow, 'generation' .. destination, 1)
  elseif forgotten[name] then redis.call('HDEL', flow, field) end
end
return 1
