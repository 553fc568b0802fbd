-- new_job (a fragment, pulled in by "-- include: new_job"): write a job that does not exist: its definition, index entry and next occurrence.
-- job     hash  {17}:job:<job>
-- due     zset  {17}:due
-- index   zset  {17}:jobs:<coll>
-- member  text  job:<job>
-- name    text  of the job, as in its key
-- revision, definition, state, epoch, next_iso, due_at: as in put_job
-- names   names of further fields, nil for none
-- values  values of those
-- returns nothing
-- cost    O(log n + size of the definition)
local function write_new_job(job, due, index, member, name, revision, definition, state, epoch, next_iso, due_at, names, values)
  if next_iso ~= '' then redis.call('ZADD', due, due_at, member) end
  redis.call('ZADD', index, '0', state .. '/' .. name)
  if next_iso ~= '' and state == 'enabled' and epoch == '0' and not names then -- most jobs
    redis.call('HSET', job, 'definition', definition, 'revision', revision, 'next', next_iso)
    return
  end
  local written = {'definition', definition, 'revision', revision}
  local function set(field, value)
    written[#written + 1] = field
    written[#written + 1] = value
  end
  if next_iso ~= '' then set('next', next_iso) end
  if state ~= 'enabled' then set('state', state) end
  -- Attempts from this revision on belong to this job, not to a deleted job of the same name.
  if epoch ~= '0' then
    set('epoch', epoch)
    set('firstRevision', revision)
  end
  for i, field in ipairs(names or {}) do set(field, values[i]) end
  redis.call('HSET', job, unpack(written))
end
