-- Reads a trace, oldest first, and writes an audit record about it.
-- KEYS: refusals, audit, then the buckets of the days, oldest first. ARGV: now, field, subject, the operator, rules.
-- Returns { { time, count, words... }, ... }.

flushRefusals(KEYS, tonumber(ARGV[1]))
if isAuditFull(KEYS) then return { 'audit_full' } end
local entries = {}
for index = 3, #KEYS do
  local value = redis.call('HGET', KEYS[index], ARGV[2])
  for _, entry in ipairs(value and cmsgpack.unpack(value) or {}) do
    entries[#entries + 1] = { tostring(entry[1]), tostring(entry[2]), unpack(entry[3]) }
  end
end
writeAudit(KEYS, ARGV[1], audited.traced, ARGV[3], ARGV[4])
return entries
