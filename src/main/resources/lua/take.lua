-- take (a fragment, pulled in by "-- include: take"): read an entry of due or of a waiting list, with all that its node must know of the job.
-- member  text  the entry
-- jobs    text  prefix of the jobs' keys, "carillon:{17}:job:"
-- fences  hash  {17}:epochs, or nil where there are none
-- returns kind  job | run | resume | release
--         key   of the job; of a release also "<sub>/<group>/<coll>/*"
--         at    fields of the job's hash: definition, revision, state, next, created, name, occurrence, epoch, attemptRevision, putRevision;
--               none of them when the job is gone, or was deleted with its collection and is not swept yet
--         strange  true when nobody can understand the entry, or the job's key has another type: its claim goes into quarantine
-- cost    O(1)
-- needs   checked_call
-- needs   epoch_fence
local KINDS = {job = true, run = true, resume = true, release = true}
local function read_entry(member, jobs, fences)
  local kind, key = string.match(member, '^(%a+):(%S+)')
  local strange = not (key and KINDS[kind] and string.find(key, '^[^/]+/[^/]+/[^/]+/[^/]+$'))
  if kind == 'release' and not strange then return kind, key, {}, false end
  local at = redis.pcall('HMGET', jobs .. (key or member), 'definition', 'revision', 'state', 'next', 'created', 'name', 'occurrence', 'epoch', 'attemptRevision', 'putRevision')
  strange = strange or at.err
  if fences and not strange then
    local _, dead = fence_of(fences, key)
    if (tonumber(at[8]) or 0) <= dead then at = {} end
  end
  return kind, key, at, strange
end

-- Whether a job has a next occurrence, with a number that can be read.
local function is_next(at)
  return at[1] and at[2] and at[4] and (not at[7] or string.find(at[7], '^[1-9]%d*$') and tonumber(at[7]) < 2147483648)
end

-- First attempt of that occurrence.
local function first_attempt(key, at)
  return 'run:' .. key .. ' at=' .. at[4] .. ' occurrence=' .. (at[7] or 1) .. ' main=1 revision=' .. (at[9] or at[2]) .. ' crashes=0'
end

-- Item of a claim's reply, see claim_due. marker: the disabled marker that holds the job back, nil for none.
local function item_of(attempt, at, instant, marker)
  return {attempt, at[1] or '', at[9] or at[2] or '', at[3] or '', at[4] or '', at[5] or at[10] or at[2] or '', at[6] or '', instant,
    marker or at[9] and '' or nil, at[9] and at[2] or nil}
end

local MAX_BYTES = 1048576 -- of definitions in one reply
