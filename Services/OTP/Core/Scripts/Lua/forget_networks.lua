-- Makes a number a stranger at the networks from which it signed in, up to a day; what was counted of it stays.
-- KEYS: refusals, audit, bucket, the number's own key. ARGV: now, field, day. Answers {'forgotten'}.

local day = tonumber(ARGV[3])
local kept = {}
for _, known in ipairs(number.known) do
  if known.day > day then kept[#kept + 1] = known end
end
if #kept < #number.known then
  number.known = kept
  save()
end
return { 'forgotten' }
