-- checked_call (a fragment, pulled in by "-- include: checked_call"): perform a command on a key. A key of another type, or a stream with
-- the last possible id, is moved aside first, so that one damaged key stops nothing else. Only a hand or a bug can have written it.
-- command, key and arguments, as for redis.call
-- derived the damaged key's new name: <prefix>:damaged: and the rest of its name
-- returns what the command returns
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
