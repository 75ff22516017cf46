-- Notes that a message which a provider had accepted did not arrive, so that for a day other channels are tried before this one.
-- The call has a byte for the channel.
-- Answers: noted, or unknown for a number to which nothing was sent recently, so that a callback that is replayed later changes
-- nothing.

function change.undelivered(state, call)
  for _, event in ipairs(state.number.events) do
    if event.kind <= FAILED then
      markChannel(state, string.byte(call.channel) + LATE)
      return { result = 'noted' }
    end
  end
  return { result = 'unknown' }
end
