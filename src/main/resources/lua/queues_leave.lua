-- queues_leave: let the queues of a deleted collection expire in a week, so that their consumers can empty them.
-- KEYS[1] hash  <prefix>-queue:{<collection>}:sizes   name of a queue -> its size; at most 256
-- derived stream or list  <prefix>-queue:{<collection>}/<name>
-- derived zset  <prefix>-queue:{<collection>}:maxlengths:<name>
-- returns the number of queues; a queue stays if a job adds to it again
-- cost    O(queues)
local sizes, WEEK = KEYS[1], 604800000
local own = string.sub(sizes, 1, -1 - #':sizes')
local names = redis.call('HKEYS', sizes)
for _, name in ipairs(names) do
  redis.call('PEXPIRE', own .. '/' .. name, WEEK)
  redis.call('PEXPIRE', own .. ':maxlengths:' .. name, WEEK)
end
redis.call('PEXPIRE', sizes, WEEK)
return #names
