-- checked_call (a fragment, pulled in by "-- include: checked_call"): perform a command on a key. A key of another type, or a stream with
-- the last possible id, is first renamed, so that one damaged key stops nothing else. Only a manual change or a bug can cause such a key.
-- command, key and arguments, as for redis.call
-- derived new name of the damaged key: <prefix>:damaged: and the rest of its name
-- returns the reply of the command
-- cost    that of the command
local function checked_call(command, key, ...)
  local result = redis.pcall(command, key, ...)
  if type(result) ~= 'table' or not result.err then return result end
  if string.sub(result.err, 1, 9) == 'WRONGTYPE' or string.find(result.err, 'exhausted the last possible ID', 1, true) then
    local aside = string.gsub(key, ':', ':damaged:', 1)
    redis.call('RENAME', key, aside)
    redis.log(redis.LOG_WARNING, key .. ' cannot be written (' .. result.err .. '), renamed to ' .. aside)
  end
  return redis.call(command, key, ...)
end
