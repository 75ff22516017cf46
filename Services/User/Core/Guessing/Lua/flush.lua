-- Writes the refusals of an earlier minute to the audit, which the file `audit.lua` after this one does.
-- KEYS: refusals, audit. ARGV: now.

local now, refusalsKey, auditKey = tonumber(ARGV[1]), KEYS[1], KEYS[2]
