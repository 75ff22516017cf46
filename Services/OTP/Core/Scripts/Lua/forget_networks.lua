-- Makes a number unrecognised at the networks from which it signed in, up to a day, and removes its challenges up to a time, so
-- that the next request makes a new code. Everything counted of the number stays.
-- KEYS: refusals, audit, bucket, the number's own key. ARGV: now, field, day, time (0 for no challenge). Returns {'forgotten'}.

local day, codesUntil = tonumber(ARGV[3]), tonumber(ARGV[4])
local known, challenges = {}, {}
for _, place in ipairs(number.known) do
  if place.day > day then known[#known + 1] = place end
end
for _, challenge in ipairs(number.challenges) do
  if challenge.created > codesUntil then challenges[#challenges + 1] = challenge end
end
if #known < #number.known or #challenges < #number.challenges then
  number.known, number.challenges = known, challenges
  save()
end
return { 'forgotten' }
