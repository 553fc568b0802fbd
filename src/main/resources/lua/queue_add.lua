-- queue_add: add an entry to a stream or list that consumers read, once per execution.
-- KEYS[1] stream or list  <prefix>-queue:<name>
-- KEYS[2] zset  <prefix>-queue:{<prefix>-queue:<name>}:added   executions that added an entry -> when (epoch ms); the tag makes it
--               share the slot of KEYS[1]
-- ARGV[1] text  command     XADD, LPUSH or RPUSH
-- ARGV[2] text  execution   adds nothing when it has added before
-- ARGV[3] int   now         epoch ms
-- ARGV[4] int   most        entries kept, > 0: about, in a stream; of a list at most 256 are dropped per call
-- ARGV[5] int   remembered  executions kept in KEYS[2], the latest; KEYS[2] goes a week after the last one
-- ARGV[6..]     names and values of a stream's entry, or the one entry of a list
-- returns array: word ADDED or REPEATED; id of a stream's entry, '' otherwise; entries now; entries of a list dropped
-- cost    O(log n) and what is dropped
local queue, added = KEYS[1], KEYS[2]
local command, execution, now = ARGV[1], ARGV[2], ARGV[3]
local most, remembered = tonumber(ARGV[4]), tonumber(ARGV[5])
local WEEK, SLICE = 604800000, 256

local function length()
  return redis.call(command == 'XADD' and 'XLEN' or 'LLEN', queue)
end

if redis.call('ZSCORE', added, execution) then return {'REPEATED', '', length(), 0} end
local id, dropped = '', 0
if command == 'XADD' then
  id = redis.call('XADD', queue, 'MAXLEN', '~', most, '*', unpack(ARGV, 6))
else
  redis.call(command, queue, ARGV[6])
  dropped = math.max(0, math.min(length() - most, SLICE))
  if dropped > 0 and command == 'LPUSH' then redis.call('LTRIM', queue, 0, -1 - dropped) end
  if dropped > 0 and command == 'RPUSH' then redis.call('LTRIM', queue, dropped, -1) end
end
redis.call('ZADD', added, now, execution)
redis.call('ZREMRANGEBYRANK', added, 0, -1 - remembered)
redis.call('PEXPIRE', added, WEEK)
return {'ADDED', id, length(), dropped}
