-- overlap (a fragment, pulled in by "-- include: overlap"): track the executions of a job if only one at a time may be under way.
-- An execution is "<nominal> <revision>", like its id. Outside the schedule it is "<nominal> requested <revision>", because it may
-- be requested at the exact instant of an occurrence.
-- executions hash  {17}:executions:<job>: execution -> calling, from the start of an attempt to its end; waiting, while its next attempt waits;
--                  or "run:...", its first attempt, while it waits for the end of the others
-- list       zset  {17}:list:execution: these first attempts, of all jobs of the partition -> their nominal instant (epoch ms)
-- returns functions
-- cost    O(open executions of the job)
-- needs   checked_call
local function executions_of(job) return (string.gsub(job, ':job:', ':executions:', 1)) end
local function execution_list_of(job) return (string.gsub(job, ':job:.*$', ':list:execution')) end

local function execution_of(attempt)
  local at, revision = string.match(attempt, ' at=(%S+) .* revision=(%d+)')
  return at and at .. (string.find(attempt, ' occurrence=0 ', 1, true) and ' requested ' or ' ') .. revision
end

local function is_under_way(state) return state == 'calling' or state == 'waiting' end

-- Makes a buffered attempt due because it may begin, or because it must be reported.
local function release_buffered(job, due, attempt)
  local list = execution_list_of(job)
  local at = checked_call('ZSCORE', list, attempt) or '0'
  checked_call('ZREM', list, attempt)
  checked_call('ZADD', due, at, attempt)
end

-- Returns the number of executions under way, and the attempts that wait for their end. Executions of another revision, from before a change
-- of the job, block no attempt, except for a call that may still be in flight. Their attempts end when they are claimed.
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
      waiting[#waiting + 1] = {string.gsub(execution, 'Z? %d+$', ''), execution, state} -- without the Z, texts sort like instants
    else
      checked_call('HDEL', executions, execution)
      release_buffered(job, due, state)
    end
  end
  return under_way, waiting
end

-- Ends an execution and lets the first waiting one begin, if the job is free. Returns whether one begins.
local function end_execution(job, due, attempt, revision)
  local executions, execution = executions_of(job), execution_of(attempt)
  if execution then
    local state = checked_call('HGET', executions, execution)
    if state and not is_under_way(state) then checked_call('ZREM', execution_list_of(job), state) end
    checked_call('HDEL', executions, execution)
  end
  local under_way, waiting = other_executions(job, due, revision)
  if under_way > 0 or #waiting == 0 then return false end
  table.sort(waiting, function(one, other) return one[1] < other[1] end)
  checked_call('HSET', executions, waiting[1][2], 'waiting')
  release_buffered(job, due, waiting[1][3])
  return true
end
