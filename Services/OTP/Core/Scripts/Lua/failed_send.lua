-- Notes what an admitted send came to, where that is not that the first try took it.
-- ARGV of its own: a byte for each channel on which a provider calls the number bad, remembered for a day; a word when no
-- provider took the message: 'failed', or 'unclosed' when moreover an earlier code of the number may still be open. The send
-- stays counted then, since it may have gone out all the same (security guide section 4).

local newlyBad, outcome = ARGV[8], ARGV[9]
local isFailed = outcome ~= ''

for index = 1, #newlyBad do markChannel(string.byte(newlyBad, index)) end

local earlier = isFailed and earlierCall(SENT, SENT)
if earlier then earlier.kind = FAILED end
local challenge = openChallenge()
-- Where the provider makes the codes, the earlier one must not pass for this challenge's: the next request begins anew.
local isOver = outcome == 'unclosed' and challenge and isManaged(challenge)
if isOver then challenge.tries = { rules.tries, rules.tries } end
if earlier or isOver or #newlyBad > 0 then save() end
if isFailed then audit(now, audited.sendFailed, subject, scopeName) end
return { 'noted' }
