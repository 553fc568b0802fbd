-- queues_leave: make the queues of a deleted collection expire in a week, in which their consumers can empty them.
-- KEYS[1] hash  <prefix>-queue:{<collection>}:sizes   name of a queue -> what it holds; at most 256
-- derived stream or list  <prefix>-queue:{<collection>}/<name>
-- derived zset  <prefix>-queue:{<collection>}:maxlengths:<name>
-- returns how many queues there are; one that a job adds to again stays
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
