-- The arguments of the scripts of sends and guesses.
-- KEYS: refusals, audit, bucket, the number's own key, then one for each window.
-- ARGV: now, field, subject, place (`ChallengePlace`), call, address block, '1' if vouched for, two of the operation's own, the
-- number of windows, then for each: rule, field, max for unrecognised clients, max for recognised clients or '' if it does not
-- apply to them, end; then the arguments of spend.lua.
-- Gives: subject, place, call, block, isVouchedFor, windowCount. Ends the script while the audit is full, because nothing may
-- change without an audit record.

local subject, place, call, block, isVouchedFor = ARGV[3], tonumber(ARGV[4]), ARGV[5], ARGV[6], ARGV[7] == '1'
local windowCount = tonumber(ARGV[10])
if redis.call('XLEN', auditKey) >= audited.entriesMax then return { 'audit_full' } end
