-- repair (a fragment, appended to a script that is wrapped in perform(KEYS, ARGV)): perform the script. If one of its keys holds another type,
-- caused by a manual change or a bug, move the key aside and perform the script again. So one damaged key stops nothing else. The
-- first run may have done a part, so the script must be repeatable.
-- TYPES   type of each key, from the head of the script
-- derived new name of the damaged key: <prefix>:damaged: and the rest of its name
-- returns the reply of the script
-- cost    that of the script
local performed, reply = pcall(perform, KEYS, ARGV)
local failure = type(reply) == 'table' and reply.err or not performed and tostring(reply)
if failure and string.find(failure, 'WRONGTYPE', 1, true) then
  for i, key in ipairs(KEYS) do
    local found = redis.call('TYPE', key).ok
    if found ~= 'none' and found ~= TYPES[i] then
      local aside = string.gsub(key, ':', ':damaged:', 1)
      redis.call('RENAME', key, aside)
      redis.log(redis.LOG_WARNING, key .. ' holds another type, renamed to ' .. aside)
    end
  end
  return perform(KEYS, ARGV)
end
-- The error is returned, because raising it again would put another word before its own.
if performed then return reply end
return type(reply) == 'table' and reply or redis.error_reply(tostring(reply))
