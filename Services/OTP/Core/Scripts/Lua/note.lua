-- Writes an audit record about what an operator reads or changes.
-- KEYS: refusals, audit. ARGV: now, event, subject, detail. Returns {'noted'}.

if redis.call('XLEN', auditKey) >= audited.entriesMax then return { 'audit_full' } end
audit(now, ARGV[2], ARGV[3], ARGV[4])
return { 'noted' }
