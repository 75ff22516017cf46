-- Reads a trace, oldest first, and writes an audit record about it.
-- KEYS: refusals, audit, then the buckets of the days, oldest first. Answers: entries, { time, count, words... } for each.

local call = readCall(ARGV)
flushRefusals(KEYS, tonumber(call.now))
if isAuditFull(KEYS) then return AUDIT_FULL end
local entries = {}
for index = 3, #KEYS do
  local value = redis.call('HGET', KEYS[index], call.field)
  for _, entry in ipairs(value and cmsgpack.unpack(value) or {}) do
    entries[#entries + 1] = { tostring(entry[1]), tostring(entry[2]), unpack(entry[3]) }
  end
end
writeAudit(KEYS, call.now, audited.traced, call.tag, call.operator)
return answer({ entries = entries })
