-- own_node: take or keep a node id for a process.
-- KEYS[1] string  owner:{nodes}:<node>   "<life> <beat>": the process that has the id, and the number of its heartbeat
-- ARGV[1] text  life    of the caller: unique for each process
-- ARGV[2] int   beat
-- ARGV[3] int   ttl     ms after which the id is free if it is not kept
-- ARGV[4] text  seen    value of an ended process, which the caller may replace; '' for none
-- returns text: '' if the caller has the id now, else the value of another process that has it
--         An invalid value is replaced
-- cost    O(1)
local held = redis.pcall('GET', KEYS[1]) -- a table if the key has another type
local is_held = type(held) == 'string' and string.find(held, '^%S+ %d+$')
if is_held and held ~= ARGV[4] and string.match(held, '^%S+') ~= ARGV[1] then return held end
redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. ARGV[2], 'PX', ARGV[3])
return ''
