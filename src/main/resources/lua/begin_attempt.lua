-- begin_attempt: note that a claimed attempt is about to be made, of a job whose executions must not overlap. A first attempt of the schedule
-- was judged by schedule_next; what it was not let through is not performed, however often it comes back.
-- KEYS[1] hash  {17}:claims:<node>
-- KEYS[2] hash  {17}:job:<job>
-- ARGV[1] text  claim
-- derived hash  {17}:executions:<job>   see overlap
-- returns word: BEGUN; OVERLAP where it came while another execution was under way; CHANGED when it may not begin either as its job was changed since;
--         LOST when the claim is no longer there
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
