/// How the functions of a library get a policy's numbers: as JSON in the last argument of each call.
///
/// So a library is the same for every policy, and a changed policy needs no other one.
package enum RedisRules {
    /// Lua of the library: `rulesOf` reads the JSON of a policy once and remembers it.
    ///
    /// A process has one text for each dialect, so that few are in use; the bound holds for whatever is sent.
    package static let shared = """
        local rulesByText, rulesCount = {}, 0
        local function rulesOf(text)
          local rules = rulesByText[text]
          if not rules then
            rules = cjson.decode(text)
            if rulesCount >= 64 then rulesByText, rulesCount = {}, 0 end
            rulesByText[text], rulesCount = rules, rulesCount + 1
          end
          return rules
        end

        """

    /// Lua that begins a function which has rules. It takes them off `ARGV`, and gives `rules`.
    package static let lua = Array("local rules = rulesOf(table.remove(ARGV))\n".utf8)
}
