import Configuration
import SettingNames

/// Reads environment variables as values of the types that they represent. An empty variable counts as unset.
struct VariableReader {
    private let reader: ConfigReader

    init(_ reader: ConfigReader) { self.reader = reader }

    /// Returns the text of a variable, or `nil` if it is unset or empty.
    func text(_ key: ConfigKey) -> String? { reader.string(forKey: key).flatMap { $0.isEmpty ? nil : $0 } }

    func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ key: ConfigKey, default fallback: Value
    ) throws(SettingsError) -> Value {
        guard let text = text(key) else { return fallback }
        guard let value = Value(rawValue: text) else {
            let words = Value.allCases.map(\.rawValue)
            throw refusal(
                key, text, use: Spelling.choice(of: words), meant: Spelling.nearest(to: text, among: words))
        }
        return value
    }

    func address(_ key: ConfigKey, default fallback: ListenAddress) throws(SettingsError) -> ListenAddress {
        guard let text = text(key) else { return fallback }
        guard let address = ListenAddress(parsing: text) else {
            throw refusal(key, text, use: "host:port, for example \(fallback)")
        }
        return address
    }

    func flag(_ key: ConfigKey) throws(SettingsError) -> Bool? {
        switch text(key) {
        case nil: return nil
        case "1": return true
        case "0": return false
        case let other?: throw refusal(key, other, use: "1 for yes, or 0 for no")
        }
    }

    func integer(
        _ key: ConfigKey, in range: ClosedRange<Int>, default fallback: Int
    ) throws(SettingsError) -> Int {
        guard let text = text(key) else { return fallback }
        guard let number = Int(text), range.contains(number) else {
            throw refusal(key, text, use: "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private func refusal(_ key: ConfigKey, _ text: String, use: String, meant: String? = nil) -> SettingsError {
        let name = key.components.joined(separator: "_").uppercased()
        return .invalid(name, text, use: use, meant: meant)
    }
}

extension SettingsError {
    /// Returns the error for a value of a variable that is not allowed.
    ///
    /// - Parameters:
    ///   - use: The allowed values; the text follows "Use ".
    ///   - meant: The value that was probably meant.
    package static func invalid(_ name: String, _ text: String, use: String, meant: String? = nil) -> SettingsError {
        SettingsError(
            name, "\"\(text)\" is not a valid value. " + (meant.map { "Did you mean \($0)? " } ?? "") + "Use \(use).")
    }

    /// Returns the error for a missing variable or secret that another setting requires.
    package static func missing(_ name: String, because reason: String, use: String) -> SettingsError {
        SettingsError(name, "is missing; \(reason). Use \(use).")
    }
}
