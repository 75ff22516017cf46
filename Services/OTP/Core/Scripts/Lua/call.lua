-- A call and its answer, both by name. The last argument is the policy's numbers (`rulesOf`).

-- ARGV: name, value, name, value, ... `window` begins an entry of `windows`, to which the names after it belong.
local function readCall(words)
  local call = { windows = {} }
  local part = call
  for index = 1, #words - 1, 2 do
    local name, value = words[index], words[index + 1]
    if name == 'window' then
      part = {}
      call.windows[#call.windows + 1] = part
    end
    part[name] = value
  end
  return call
end

local function answer(values)
  local list = {}
  for name, value in pairs(values) do
    list[#list + 1] = name
    list[#list + 1] = value
  end
  return list
end
