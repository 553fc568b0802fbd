-- repair (a fragment, put behind a script that stands in perform(KEYS, ARGV)): perform it; where one of its keys holds another type, which
-- only a hand or a bug can have written, move it aside and perform it once more, so that one damaged key stops nothing else. Until
-- then the script may have done a part: it is written so that it can be repeated.
-- TYPES   what the head of the script says that each key holds
-- derived the damaged key's new name: <prefix>:damaged: and the rest of its name
-- returns what the script returns
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
-- Not raised once more, which would put another word before that of the error.
if performed then return reply end
return type(reply) == 'table' and reply or redis.error_reply(tostring(reply))
