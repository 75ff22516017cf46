package import Configuration
import Policies
import SettingNames

/// An environment whose variables are read by their rows in `Settings`. An empty variable counts as unset.
package protocol VariableSource {
    /// Returns the text of a variable; `nil` if it is unset or empty. Compose sets a variable without a value to the empty text.
    func variable(_ name: String) -> String?
}

extension ConfigReader: VariableSource {
    package func variable(_ name: String) -> String? {
        let key = ConfigKey(name.lowercased().split(separator: "_").map(String.init))
        return string(forKey: key).flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension VariableSource {
    /// Returns the text of a variable, or its default.
    package func text(_ name: String) -> String? {
        let row = Settings.all[name]
        let isProduction = variable("LATCHKEY_ENV") == DeploymentEnvironment.production.rawValue
        return variable(name) ?? (isProduction ? row.standardInProduction : nil) ?? row.standard
    }

    /// Returns one of the values that a variable may have, or its default.
    package func choice<Value: RawRepresentable<String>>(_ name: String) throws(SettingsError) -> Value? {
        try allowed(name).flatMap(Value.init)
    }

    /// Returns whether a variable is 1; `nil` if it is unset and has no default.
    package func flag(_ name: String) throws(SettingsError) -> Bool? { try allowed(name).map { $0 == "1" } }

    /// Returns the number in a variable, or its default; `nil` if it has none.
    package func integer(_ name: String) throws(SettingsError) -> Int? { try allowed(name).flatMap { Int($0) } }

    /// Returns the address in a variable; `nil` if it is unset.
    ///
    /// - Parameter example: An address, for the refusal.
    package func address(_ name: String, example: String) throws(SettingsError) -> ListenAddress? {
        guard let text = variable(name) else { return nil }
        guard let address = ListenAddress(parsing: text) else {
            throw .invalid(name, text, use: "host:port, for example \(example)")
        }
        return address
    }

    /// Reads a list of addresses; `nil` if the variable is not set.
    func addresses(_ name: String, example: String) throws(SettingsError) -> [ListenAddress]? {
        guard let text = variable(name) else { return nil }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
        let addresses = parts.compactMap(ListenAddress.init(parsing:))
        guard addresses.count == parts.count else {
            throw .invalid(name, text, use: "host:port, for example \(example), several separated by commas")
        }
        return addresses
    }

    private func allowed(_ name: String) throws(SettingsError) -> String? {
        let text = text(name)
        if let text { try SettingsError.require(text, for: name) }
        return text
    }
}

extension SettingsError {
    /// Refuses a value that the variable's row does not allow.
    package static func require(_ text: String, for name: String) throws(SettingsError) {
        if let problem = Settings.all[name].problem(text) { throw SettingsError(name, problem) }
    }

    /// Returns the error for a value of a variable that is not allowed.
    ///
    /// - Parameters:
    ///   - use: The allowed values; the text follows "Use ".
    ///   - meant: The value that was probably meant.
    package static func invalid(_ name: String, _ text: String, use: String, meant: String? = nil) -> SettingsError {
        SettingsError(name, Setting.invalid(text, use: use, meant: meant))
    }

    /// Returns the error for a missing variable or secret that another setting requires.
    package static func missing(_ name: String, because reason: String, use: String) -> SettingsError {
        SettingsError(name, "is missing; \(reason). Use \(use).")
    }
}
