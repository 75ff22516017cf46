-- Notes that a message which a provider had taken did not arrive: for a day other channels go before this one.
-- KEYS: refusals, audit, bucket, the number's own key. ARGV: now, field, a byte for the channel. Answers {'noted'}, or
-- {'unknown'} for a number to which nothing went out lately: so a callback that is replayed later changes nothing.

local isSentTo = false
for _, event in ipairs(number.events) do isSentTo = isSentTo or event.kind <= FAILED end
if not isSentTo then return { 'unknown' } end
markChannel(string.byte(ARGV[3]) + LATE)
save()
return { 'noted' }
