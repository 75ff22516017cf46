-- Notes that the message of an admitted send was not taken by the provider; the send stays counted, since it may have
-- gone out all the same (security guide section 4).

local earlier = earlierCall(SENT, SENT)
if earlier then
  earlier.kind = FAILED
  save()
end
audit(now, audited.sendFailed, subject, scopeName)
return { 'noted' }
