-- Remembers for a day that a channel is bad for the number, or, with LATE added, that others are tried before it.
local function markChannel(state, channel)
  local known
  for _, bad in ipairs(state.number.bad) do
    if bad.channel == channel then known = bad end
  end
  if not known then
    known = { channel = channel }
    state.number.bad[#state.number.bad + 1] = known
  end
  known.ends = state.now + 86400
  state.isChanged = true
end
