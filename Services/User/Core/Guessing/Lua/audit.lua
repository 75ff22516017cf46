-- Adds audit records of guesses to a stream, in the script of the guess. user-service moves them into its database.
-- Uses: rules, now, refusalsKey, auditKey. Defines: audit, countRefusal. Writes the refusals of an earlier minute.

-- A guess that cannot be audited is refused.
if redis.call('XLEN', auditKey) >= rules.audit.entriesMax then return { 'audit_full' } end

local function audit(at, event, subject, detail)
  local fields = rules.audit.fields
  redis.call('XADD', auditKey, '*', fields.time, at, fields.event, event, fields.subject, subject, fields.detail, detail)
end

-- Refusals are counted by minute, so that many of them cannot fill the stream. The first script of a later minute writes the
-- counts.
local minute = tonumber(redis.call('HGET', refusalsKey, 'minute'))
if minute and minute ~= now - now % 60 then
  local counts = redis.call('HGETALL', refusalsKey)
  redis.call('DEL', refusalsKey)
  for index = 1, #counts, 2 do
    if counts[index] ~= 'minute' then
      audit(minute, rules.audit.refused, '', counts[index] .. ' ' .. counts[index + 1])
    end
  end
end

local function countRefusal(words)
  redis.call('HSET', refusalsKey, 'minute', now - now % 60)
  redis.call('HINCRBY', refusalsKey, words, 1)
end
