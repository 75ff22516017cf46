-- Writes the refusals of an earlier minute to the audit; `audit.lua` after it does so.
-- KEYS: refusals, audit. ARGV: now.

local now, refusalsKey, auditKey = tonumber(ARGV[1]), KEYS[1], KEYS[2]
