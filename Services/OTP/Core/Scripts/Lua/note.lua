-- Writes an audit record about what an operator reads or changes.
-- KEYS: refusals, audit. ARGV: now, event, subject, detail, rules. Returns {'noted'}.

flushRefusals(KEYS, tonumber(ARGV[1]))
if isAuditFull(KEYS) then return { 'audit_full' } end
writeAudit(KEYS, ARGV[1], ARGV[2], ARGV[3], ARGV[4])
return { 'noted' }
