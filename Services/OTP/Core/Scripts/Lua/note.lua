-- Writes an audit record about what an operator reads or changes.
-- KEYS: refusals, audit. The call: now, event, tag, detail.

local call = readCall(ARGV)
flushRefusals(KEYS, tonumber(call.now))
if isAuditFull(KEYS) then return AUDIT_FULL end
writeAudit(KEYS, call.now, call.event, call.tag, call.detail)
return answer({ result = 'noted' })
