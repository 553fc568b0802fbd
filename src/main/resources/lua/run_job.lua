-- run_job: let a run outside the schedule wait for this instant.
-- KEYS[1] hash  {17}:job:<job>
-- KEYS[2] zset  {17}:due
-- KEYS[3] hash  {17}:epochs
-- KEYS[4] stream {17}:audit
-- ARGV[1] text  run, up to its revision   "run:<job> at=<ISO> occurrence=0 main=1 revision="
-- ARGV[2] int   due                       epoch ms
-- ARGV[3..4]                              see note
-- returns word: WAITING, MISSING or FINAL
-- cost    O(log n)
-- include: mend
-- include: epoch
-- include: note
local job, due = KEYS[1], KEYS[2]
local run, due_at = ARGV[1], ARGV[2]

local key = string.match(run, '^run:(%S+)')
local _, dead = fence_of(KEYS[3], key)
local current = mend('HMGET', job, 'revision', 'state', 'epoch')
local revision, state = current[1], current[2]
if not revision or (tonumber(current[3]) or 0) <= dead then return 'MISSING' end
if state == 'completed' or state == 'faulted' then return 'FINAL' end
if mend('ZADD', due, 'NX', due_at, run .. revision .. ' crashes=0') == 1 then
  redis.pcall('HINCRBY', job, 'open', 1)
  note(KEYS[4], 3, key)
end
return 'WAITING'
