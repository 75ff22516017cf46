-- Writes audit records to the stream of otp-service, in the script of the operation.
-- KEYS: refusals, audit.
-- Uses: audited, number.lua. Gives: audit, countRefusal. Writes the refusals of an earlier minute.

local refusalsKey, auditKey = KEYS[1], KEYS[2]

local function audit(at, event, subject, detail)
  local fields = audited.fields
  redis.call('XADD', auditKey, '*', fields.time, at, fields.event, event, fields.subject, subject, fields.detail, detail)
end

-- Refusals are counted by minute, so that a flood of them cannot fill the stream. The first script in a later minute writes the
-- counts of the minute before.
local function flushRefusals()
  local minute = tonumber(redis.call('HGET', refusalsKey, 'minute'))
  if not minute or minute == now - now % 60 then return end
  local counts = redis.call('HGETALL', refusalsKey)
  redis.call('DEL', refusalsKey)
  for index = 1, #counts, 2 do
    if counts[index] ~= 'minute' then
      audit(minute, audited.refused, '', counts[index] .. ' ' .. counts[index + 1])
    end
  end
end

flushRefusals()

local function countRefusal(words)
  redis.call('HSET', refusalsKey, 'minute', now - now % 60)
  redis.call('HINCRBY', refusalsKey, words, 1)
end
