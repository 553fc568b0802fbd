-- queues_leave: make the queues of a deleted collection expire in a week, in which their consumers can empty them.
-- KEYS[1] hash  <prefix>-queue:{<collection>}:queues   name of a queue -> what it holds; at most 256
-- derived stream or list  <prefix>-queue:{<collection>}/<name>
-- derived zset  <prefix>-queue:{<collection>}:lengths:<name>
-- returns how many queues there are; one that a job adds to again stays
-- cost    O(queues)
local queues, WEEK = KEYS[1], 604800000
local own = string.sub(queues, 1, -1 - #':queues')
local names = redis.call('HKEYS', queues)
for _, name in ipairs(names) do
  redis.call('PEXPIRE', own .. '/' .. name, WEEK)
  redis.call('PEXPIRE', own .. ':lengths:' .. name, WEEK)
end
redis.call('PEXPIRE', queues, WEEK)
return #names
