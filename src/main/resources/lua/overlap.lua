-- overlap (a fragment, pulled in by "-- include: overlap"): tell the executions of a job apart, of which only one at a time may be under way.
-- An execution is "<nominal> <revision>", as its id is made of these; "<nominal> requested <revision>" outside the schedule, as it may have
-- been requested at the very instant of an occurrence.
-- executions hash  {17}:executions:<job>: execution -> calling, from the begin of an attempt to its end; waiting, while its next attempt waits;
--                  or "run:...", its first attempt, which waits for the end of the others
-- buffered   zset  {17}:buffered: these attempts, of all jobs of the partition -> their nominal instant (epoch ms)
-- returns functions
-- cost    O(executions of the job that have not ended)
-- needs   checked_call
local function executions_of(job) return (string.gsub(job, ':job:', ':executions:', 1)) end
local function buffered_of(job) return (string.gsub(job, ':job:.*$', ':buffered')) end

local function execution_of(attempt)
  local at, revision = string.match(attempt, ' at=(%S+) .* revision=(%d+)')
  return at and at .. (string.find(attempt, ' occurrence=0 ', 1, true) and ' requested ' or ' ') .. revision
end

local function is_under_way(state) return state == 'calling' or state == 'waiting' end

-- Where a buffered attempt goes once it may begin, or has to be told of: to those that are due.
local function release_buffered(job, due, attempt)
  local buffered = buffered_of(job)
  local at = checked_call('ZSCORE', buffered, attempt) or '0'
  checked_call('ZREM', buffered, attempt)
  checked_call('ZADD', due, at, attempt)
end

-- The executions that have not ended: how many are under way, and the attempts that wait for their end. What a change of the job left,
-- of another revision than this, keeps nobody waiting, but for a call that may still be in flight; its attempts end when they are claimed.
local function other_executions(job, due, revision)
  local executions = executions_of(job)
  local all = checked_call('HGETALL', executions)
  local under_way, waiting = 0, {}
  for i = 1, #all, 2 do
    local execution, state = all[i], all[i + 1]
    local is_current = string.match(execution, ' (%d+)$') == revision
    if state == 'calling' or state == 'waiting' and is_current then
      under_way = under_way + 1
    elseif state == 'waiting' then
      checked_call('HDEL', executions, execution)
    elseif is_current then
      waiting[#waiting + 1] = {string.gsub(execution, 'Z? %d+$', ''), execution, state} -- without the Z the order of texts is that of instants
    else
      checked_call('HDEL', executions, execution)
      release_buffered(job, due, state)
    end
  end
  return under_way, waiting
end

-- An execution has ended: the first that waits for this may begin. Returns whether one does.
local function end_execution(job, due, attempt, revision)
  local executions, execution = executions_of(job), execution_of(attempt)
  if execution then
    local state = checked_call('HGET', executions, execution)
    if state and not is_under_way(state) then checked_call('ZREM', buffered_of(job), state) end
    checked_call('HDEL', executions, execution)
  end
  local under_way, waiting = other_executions(job, due, revision)
  if under_way > 0 or #waiting == 0 then return false end
  table.sort(waiting, function(one, other) return one[1] < other[1] end)
  checked_call('HSET', executions, waiting[1][2], 'waiting')
  release_buffered(job, due, waiting[1][3])
  return true
end
