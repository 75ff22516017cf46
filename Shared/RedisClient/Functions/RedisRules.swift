/// Passes a policy's numbers to the functions of a library: as JSON in the last argument of each call.
///
/// So a library is the same for every policy, and does not change with it.
package enum RedisRules {
    /// Lua code of the library: `rulesOf` parses the JSON of a policy once and caches it.
    ///
    /// A process has one text for each dialect, so few are in use; the bound applies to any input.
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

    /// Lua code at the start of a function that uses rules. It removes them from `ARGV` and defines `rules`.
    package static let lua = Array("local rules = rulesOf(table.remove(ARGV))\n".utf8)
}
