-- finish: record the outcome of a claimed attempt and decide what follows. A compare-and-set on the claim.
-- KEYS[1] hash  {17}:claims:<node>
-- KEYS[2] hash  {17}:job:<job>
-- KEYS[3] zset  {17}:due
-- KEYS[4] list  {17}:history:<job>
-- KEYS[5] zset  {17}:jobs:<coll>
-- KEYS[6] list  {17}:finished   "<epoch ms> <job>", in the order of their ends; see purge_job
-- KEYS[7] stream {17}:outcomes   only with execution
-- ARGV[1] text  claim
-- ARGV[2] text  following   the next attempt (a retry or the error action), '' if the execution ends
-- ARGV[3] int   due         epoch ms of following
-- ARGV[4] text  counters    of the job to increment, separated by spaces: executions with the first attempt of an execution,
--                           failures for a failed attempt of the main action, faulted when its attempts are used up, skipped when
--                           nothing was performed
-- ARGV[5] text  started     ISO: actual start; '' if nothing was sent
-- ARGV[6] text  finalState  state (completed, faulted) of the job after this attempt: given for the
--                           scheduled attempt of a one-time job, '' otherwise
-- ARGV[7] int   ended       epoch ms, the end in the entry
-- ARGV[8] text  entry       history entry
-- ARGV[9] text  bounds      of the history
-- Options, each '' for none. Few jobs have them, and an argument costs each call 0.6 %: the caller omits those after the last one it gives.
-- ARGV[10] text overlap     "overlap" if executions of the job must not overlap, or if a definition that is unknown now may have said so
-- ARGV[11] int  mostFailures  limit of consecutive failed executions: the field streak counts this failed one; 0: the count starts again
-- ARGV[12] text execution   for the list of executions of all jobs: JSON that begins like an entry
-- ARGV[13] text kept        "<entries> <oldest>" of that list: the approximate number to keep, and an ISO instant; older ends are dropped
-- derived hash  {17}:executions:<job>, zset {17}:list:execution: see overlap; only with "overlap"
-- returns word: the job's final state if this was its end, else DONE, or TOO_MANY_FAILURES: the caller must disable the job; RELEASED, which is
--         DONE while an execution that waited for this one is now due; LOST if the claim no longer exists; GONE if
--         the job was deleted. A repeat is recognized by its entry among the newest 64 of the history and gets the same reply, but
--         DONE instead of RELEASED: the next poll finds the due execution, which costs only latency
-- cost    O(log n)
-- behind: repair
-- include: checked_call
-- include: history
local claims, job, due, history, index, finished = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local claim, following, due_at, counters, started, final_state, ended, entry, bounds, overlap, most_failures, execution, kept = unpack(ARGV)
most_failures = most_failures and tonumber(most_failures)
local counts_failure = most_failures and most_failures > 0

if redis.call('HDEL', claims, claim) == 0 then
  local told = redis.pcall('HGET', job, 'latest') == entry or type(redis.pcall('LPOS', history, entry, 'MAXLEN', 64)) == 'number'
  if not told then return 'LOST' end
  local state = following == '' and redis.call('HGET', job, 'state')
  if state == 'completed' or state == 'faulted' then return state end
  local streak = counts_failure and tonumber(redis.call('HGET', job, 'streak'))
  return streak and streak >= most_failures and 'TOO_MANY_FAILURES' or 'DONE'
end

-- Entries added to the two lists. A repetition would add them again, so a failure removes them.
local listed, logged

local function append_execution(outcomes, key)
  local most, oldest = string.match(kept, '^(%d+) (%S+)$')
  logged = checked_call('XADD', outcomes, 'MAXLEN', '~', most, '*', 'job', key, 'execution', execution)
  for _, old in ipairs(redis.call('XRANGE', outcomes, '-', '+', 'COUNT', 16)) do
    if string.sub(old[2][4] or '', 9, 32) >= oldest then break end
    redis.call('XDEL', outcomes, old[1])
  end
end

-- Kept short for the most frequent case: the first attempt of a one-time job. Each field that is read costs 1 % of the whole. Each
-- conversion between text and number, also for an argument of a command, costs half of that.
local function record()
  local raised = {}
  for counter in string.gmatch(counters, '%a+') do raised[#raised + 1] = counter end
  if counts_failure then raised[#raised + 1] = 'streak' end
  local at = redis.call('HMGET', job, 'revision', 'putRevision', 'attemptRevision', 'firstRevision', 'state', 'next', 'lastOccurrenceTaken', 'openExecutions', 'latest', 'historyBytes', unpack(raised))
  local revision, put_revision, attempt_revision, first_revision = at[1], at[2], at[3], at[4]
  local state, next_iso, last_taken, open, latest, history_bytes = at[5], at[6], at[7], at[8], at[9], at[10]
  local key, nominal, occurrence, carried_revision = string.match(claim, '^run:(%S+) at=(%S+) occurrence=(%d+) %S+ revision=(%d+)')
  local released = false
  if overlap == 'overlap' then
-- include: overlap
    if following ~= '' and carried_revision == (attempt_revision or revision) then
      checked_call('HSET', executions_of(job), execution_of(claim), 'waiting')
    else
      released = end_execution(job, due, claim, attempt_revision or revision)
    end
  end
  -- Attempts of a deleted job do not enter the history of a new job with the same name.
  if not revision or first_revision and tonumber(carried_revision) < (tonumber(first_revision) or 0) then return 'GONE' end

  local fields = {}
  local function set(field, value)
    fields[#fields + 1] = field
    fields[#fields + 1] = value
  end
  -- Attempts begun before the last PUT only enter the history. The next attempt is ended, with an entry, when it is claimed.
  local current = carried_revision == revision or carried_revision == attempt_revision
    or tonumber(carried_revision) >= (tonumber(put_revision or revision) or 0)
  local streak
  if current then
    for i, counter in ipairs(raised) do
      local count = at[10 + i]
      count = count and (tonumber(count) or 0) + 1 or '1'
      set(counter, count)
      if counter == 'executions' then set('last', started) elseif counter == 'streak' then streak = tonumber(count) end
    end
  end
  if following ~= '' then redis.call('ZADD', due, due_at, following) end

  local outcome = 'DONE'
  if following == '' and carried_revision == (attempt_revision or revision) then
    -- The execution of next, the only one of a one-time job, was not counted. An execution outside the schedule has the occurrence 0.
    local counted = nominal ~= next_iso or occurrence == '0'
    local left = (tonumber(open) or 0) - (counted and 1 or 0)
    local taken = final_state ~= '' and final_state or last_taken
    if taken and left <= 0 then
      outcome = taken == 'faulted' and 'faulted' or 'completed'
      set('state', outcome)
-- include: end_job
      local name = string.match(key, '.*(/.*)')
      move_in_index(index, (state or 'enabled') .. name, outcome .. name)
    else
      if counted then set('openExecutions', left) end
      if taken then set('lastOccurrenceTaken', taken) end
    end
  end
  -- Also for attempts ending after their job: the newest history entry shows which end of a job waits for its purge.
  if outcome ~= 'DONE' or state == 'completed' or state == 'faulted' then
    redis.call('RPUSH', finished, ended .. ' ' .. key)
    listed = ended .. ' ' .. key
  end
  if execution and execution ~= '' then append_execution(KEYS[7], key) end
  -- Steps that cannot be repeated come last, because none of them can fail now.
  append_history(history, latest, history_bytes, entry, bounds, fields)
  if outcome ~= 'DONE' then
    redis.call('HDEL', job, 'next')
    if open or last_taken or attempt_revision then redis.call('HDEL', job, 'openExecutions', 'lastOccurrenceTaken', 'attemptRevision') end
  end
  if current and most_failures == 0 then redis.call('HDEL', job, 'streak') end
  redis.call('HSET', job, unpack(fields))
  if outcome == 'DONE' and streak and streak >= most_failures then return 'TOO_MANY_FAILURES' end
  return outcome == 'DONE' and released and 'RELEASED' or outcome
end

-- An attempt without a record is not over, so its claim is restored for its node to record or release. HSET is not used, because it may be
-- the refused command.
local recorded, result = pcall(record)
if recorded then return result end
redis.call('HSETNX', claims, claim, started)
if listed then redis.pcall('LREM', finished, -1, listed) end
if logged then redis.pcall('XDEL', KEYS[7], logged) end
return type(result) == 'table' and result or redis.error_reply(tostring(result))
