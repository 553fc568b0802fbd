-- begin_attempt: record the start of a claimed attempt, for a job whose executions must not overlap. schedule_next has already judged first
-- attempts of the schedule. An attempt that it refused is never performed, however often it returns.
-- KEYS[1] hash  {17}:claims:<node>
-- KEYS[2] hash  {17}:job:<job>
-- ARGV[1] text  claim
-- derived hash  {17}:executions:<job>   see overlap
-- returns word: BEGUN; OVERLAP if it became due during another execution; CHANGED if it may not begin because its job was changed since;
--         LOST if the claim no longer exists
-- cost    O(1)
-- include: checked_call
-- include: overlap
local claims, job, claim = KEYS[1], KEYS[2], ARGV[1]
if checked_call('HEXISTS', claims, claim) == 0 then return 'LOST' end
local executions, execution = executions_of(job), execution_of(claim)
if not is_under_way(checked_call('HGET', executions, execution)) then
  local occurrence, revision = string.match(claim, ' occurrence=(%d+) .* revision=(%d+)')
  local at = checked_call('HMGET', job, 'revision', 'attemptRevision')
  if (at[2] or at[1]) ~= revision then return 'CHANGED' end
  if occurrence ~= '0' and string.find(claim, ' main=1 ', 1, true) then return 'OVERLAP' end
end
checked_call('HSET', executions, execution, 'calling')
return 'BEGUN'
