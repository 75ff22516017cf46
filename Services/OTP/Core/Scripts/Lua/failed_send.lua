-- Notes the outcome of an admitted send, unless the first try was accepted.
-- ARGV of its own: a byte for each channel on which a provider reports the number as bad, remembered for a day; a word if no
-- provider accepted the message: 'failed', or 'unclosed' if in addition an earlier code of the number may still be open. The send
-- then stays counted, since it may have been delivered nevertheless (security guide section 4).

local newlyBad, outcome = ARGV[8], ARGV[9]
local isFailed = outcome ~= ''

for index = 1, #newlyBad do markChannel(string.byte(newlyBad, index)) end

local earlier = isFailed and earlierCall(SENT, SENT)
if earlier then earlier.kind = FAILED end
local challenge = openChallenge()
-- If the provider makes the codes, the earlier one must not pass for this challenge's, so the next request begins again.
local isOver = outcome == 'unclosed' and challenge and isManaged(challenge)
if isOver then challenge.tries = { rules.tries, rules.tries } end
if earlier or isOver or #newlyBad > 0 then save() end
if isFailed then audit(now, audited.sendFailed, subject, scopeName) end
return { 'noted' }
