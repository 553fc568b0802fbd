-- reset_flow: let a flow begin anew: its bucket is full, its breaker closed, and nobody asks for rest. What is in flight stays.
-- KEYS[1] hash  flow:<flow>   see flow_take
-- returns int   1 where there was something, else 0
-- cost    O(1)
-- include: checked_call
local flow = KEYS[1]
if checked_call('HEXISTS', flow, 'as_of') == 0 then return 0 end
redis.call('HDEL', flow, 'tokens', 'full', 'breaker', 'until', 'opens', 'window', 'calls', 'failures', 'row', 'probing', 'probe_until', 'recovered',
  'retry_at')
redis.call('HINCRBY', flow, 'generation', 1) -- what is in flight tells nothing any more
return 1
