-- create_jobs: create jobs that do not exist: definition, index entry and next occurrence of each. This is the hot path of put_job, which handles all
-- other cases and completes unfinished ones. A key or an argument of a job costs about 1 % of the whole, so the jobs share as much as possible.
-- SHARED[1] text collection          sub/group/coll
-- SHARED[2] int  epoch               of the collection, as the writer knows it
-- SHARED[3] text state               enabled | disabled
-- SHARED[4..5]                      see audit_append
-- SHARED[6] text fields              names of further fields, separated by spaces: local, name
-- ARGV[1] text  slot                 "carillon:{17}:"
-- ARGV[2] text  name                 of the job, as in its key
-- ARGV[3] int   revision             epoch ms
-- ARGV[4] text  definition           JSON
-- ARGV[5] text  next                 ISO, or '' if no occurrence waits
-- ARGV[6] int   due                  epoch ms at which next is due
-- ARGV[7..]     value                of each further field
-- derived those of put_job
-- returns word: CREATED; EXISTS if the job already existed and is unchanged; OTHER if put_job must handle it
-- cost    O(log n + size of the definition)
-- behind: many
-- include: checked_call
-- include: epoch_fence
-- include: audit_append
-- include: new_job
local collection, epoch, state, change, bounds, fields = ...
local names, created, slots = {}, {}, {}
for name in string.gmatch(fields, '%a+') do names[#names + 1] = name end
names = #names > 0 and names

local function create(slot, name, revision, definition, next_iso, due_at, ...)
  local member = 'job:' .. collection .. '/' .. name
  local job, fences = slot .. member, slot .. 'epochs'
  local fenced = redis.call('EXISTS', fences) == 1
  if fenced and tonumber(epoch) <= fence_of(fences, collection .. '/' .. name) then return 'OTHER' end
  if redis.call('EXISTS', job) == 1 then return not fenced and redis.call('HEXISTS', job, 'revision') == 1 and 'EXISTS' or 'OTHER' end
  write_new_job(job, slot .. 'due', slot .. 'jobs:' .. collection, member, name, revision, definition, state, epoch, next_iso, due_at, names, names and {...})
  created[#created + 1] = name
  slots[#slots + 1] = slot
  return 'CREATED'
end

-- All jobs share one entry. Its last field has the names of the others.
local function append()
  local log, object = slots[1] .. 'audit', collection .. '/' .. created[1]
  if #created == 1 then append_entry(log, change, bounds, object, 'state', state)
  else append_entry(log, change, bounds, object, 'state', state, 'others', table.concat(created, ' ', 2)) end
end

local function audit()
  if change == '' or #created == 0 then return end
  local noted, failure = pcall(append)
  if noted then return end
  -- A change that cannot be logged is not made.
  for i, name in ipairs(created) do
    local member = 'job:' .. collection .. '/' .. name
    redis.pcall('ZREM', slots[i] .. 'due', member)
    redis.pcall('ZREM', slots[i] .. 'jobs:' .. collection, state .. '/' .. name)
    redis.pcall('DEL', slots[i] .. member)
  end
  error(failure, 0)
end
return create, audit
