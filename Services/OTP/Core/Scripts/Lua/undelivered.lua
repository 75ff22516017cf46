-- Notes that a message which a provider had accepted did not arrive, so that for a day other channels are tried before this one.
-- KEYS: refusals, audit, bucket, the number's own key. ARGV: now, field, a byte for the channel. Returns {'noted'}, or {'unknown'}
-- for a number to which nothing was sent recently, so that a callback that is replayed later changes nothing.

local isSentTo = false
for _, event in ipairs(number.events) do isSentTo = isSentTo or event.kind <= FAILED end
if not isSentTo then return { 'unknown' } end
markChannel(string.byte(ARGV[3]) + LATE)
save()
return { 'noted' }
