-- Records that a guess was wrong, and how long the next ones have to wait if it locks.
-- Its own ARGV, the last: 16 bytes that represent the account.
-- Returns {'done'}.

local subject = ARGV[#ARGV]
local scope = isBearer and 'bearer' or isKnown and 'known' or 'stranger'
audit(now, rules.audit.wrong, subject, scope)
if waitEnd(own) > now then audit(now, rules.audit.locked, subject, scope .. ' network ' .. waitEnd(own) - now) end
if not isKnown and account.count >= rules.accountMax then
  audit(now, rules.audit.locked, subject, scope .. ' account ' .. account.start + rules.accountSeconds - now)
end
return { 'done' }
