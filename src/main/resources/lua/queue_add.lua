-- queue_add: add an entry to a stream or list for consumers, once per execution.
-- KEYS[1] stream or list  <prefix>-queue:{<collection>}/<name>
-- KEYS[2] zset  <prefix>-queue:{<collection>}:added:<name>     executions that added an entry -> when (epoch ms)
-- KEYS[3] zset  <prefix>-queue:{<collection>}:maxlengths:<name>   job -> entries that it wants to keep: the 256 largest, while the queue exists
-- KEYS[4] hash  <prefix>-queue:{<collection>}:sizes           name of a queue -> "<entries> <bytes>" after the last entry was added
-- ARGV[1] text  command     XADD, LPUSH or RPUSH
-- ARGV[2] text  execution   adds nothing if it has added before
-- ARGV[3] int   now         epoch ms
-- ARGV[4] text  job         name of the job that adds
-- ARGV[5] int   wanted      entries that the job wants to keep, > 0; the largest number of all jobs of the queue applies
-- ARGV[6] int   max         entries to keep at most, > 0: approximate in a stream; a list drops at most 256 per call
-- ARGV[7] int   remembered  executions kept in KEYS[2], the latest; KEYS[2] expires a week after the last one
-- ARGV[8] text  name        of the queue
-- ARGV[9] int   maxQueues  most nonempty queues of the collection, 1..256
-- ARGV[10] int  maxBytes   of the queue's entries, approximate: consumed entries count as average
-- ARGV[11..]    names and values of a stream's entry, or the one entry of a list
-- derived stream or list  <prefix>-queue:{<collection>}/<name> of each queue in KEYS[4]
-- derived zset  <prefix>-queue:{<collection>}:maxlengths:<name> of each
-- returns array: word ADDED, REPEATED or FULL (no further queue is allowed); id of a stream's entry, '' otherwise; number of entries now; number of
--         dropped entries of a list
-- cost    O(log n) and the dropped entries; O(queues) for a new queue if the maximum is reached
local queue, added, max_lengths, sizes = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local command, execution, now = ARGV[1], ARGV[2], ARGV[3]
local job, wanted, max, remembered = ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local name, max_queues, max_bytes = ARGV[8], tonumber(ARGV[9]), tonumber(ARGV[10])
local WEEK, SLICE, FIRST = 604800000, 256, 11

local function length()
  return redis.call(command == 'XADD' and 'XLEN' or 'LLEN', queue)
end

local function forget_empty()
  local own = string.sub(sizes, 1, -1 - #':sizes')
  for _, other in ipairs(redis.call('HKEYS', sizes)) do
    if redis.call('EXISTS', own .. '/' .. other) == 0 then
      redis.call('HDEL', sizes, other)
      redis.call('DEL', own .. ':maxlengths:' .. other)
    end
  end
end

local function has_room()
  if redis.call('HEXISTS', sizes, name) == 1 or redis.call('HLEN', sizes) < max_queues then return true end
  forget_empty()
  return redis.call('HLEN', sizes) < max_queues
end

local function longest(before)
  if before == 0 then redis.call('DEL', max_lengths) end
  redis.call('ZADD', max_lengths, wanted, job)
  redis.call('ZREMRANGEBYRANK', max_lengths, 0, -1 - SLICE)
  return math.min(max, tonumber(redis.call('ZREVRANGE', max_lengths, 0, 0, 'WITHSCORES')[2]))
end

local function bytes_of(before)
  local size = 0
  for i = FIRST, #ARGV do size = size + #ARGV[i] end
  local entries, bytes = string.match(redis.call('HGET', sizes, name) or '', '^(%d+) (%d+)$')
  if before == 0 or not entries or tonumber(entries) == 0 then return size end
  return size + tonumber(bytes) * before / tonumber(entries)
end

local before = length()
if redis.call('ZSCORE', added, execution) then return {'REPEATED', '', before, 0} end
if not has_room() then return {'FULL', '', before, 0} end
local bytes = bytes_of(before)
local fitting = math.max(1, math.floor((before + 1) * max_bytes / bytes))
local kept, id, dropped = math.min(longest(before), fitting), '', 0
if command == 'XADD' then
  id = redis.call('XADD', queue, 'MAXLEN', '~', kept, '*', unpack(ARGV, FIRST))
else
  redis.call(command, queue, ARGV[FIRST])
  dropped = math.max(0, math.min(length() - kept, SLICE))
  if dropped > 0 and command == 'LPUSH' then redis.call('LTRIM', queue, 0, -1 - dropped) end
  if dropped > 0 and command == 'RPUSH' then redis.call('LTRIM', queue, dropped, -1) end
end
local after = length()
redis.call('HSET', sizes, name, string.format('%d %d', after, bytes * after / (before + 1)))
for _, key in ipairs({queue, max_lengths, sizes}) do redis.call('PERSIST', key) end
redis.call('ZADD', added, now, execution)
redis.call('ZREMRANGEBYRANK', added, 0, -1 - remembered)
redis.call('PEXPIRE', added, WEEK)
return {'ADDED', id, after, dropped}
