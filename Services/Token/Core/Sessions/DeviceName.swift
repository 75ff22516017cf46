/// What a device is called in its owner's list of sessions.
enum DeviceName {
    static let lengthMax = 48
    /// Longer ones are not looked at further.
    static let userAgentLengthMax = 256

    private static let systems = [
        (mark: "iPhone", name: "iPhone"), (mark: "iPad", name: "iPad"), (mark: "Windows", name: "Windows"),
        (mark: "CrOS", name: "Chromebook"), (mark: "Mac OS X", name: "Mac"), (mark: "Macintosh", name: "Mac"),
        (mark: "Linux", name: "Linux"),
    ]
    /// What stands in the model's place when a browser keeps it to itself.
    private static let hiddenModels: Set<Substring> = ["", "K", "Mobile", "Tablet"]

    /// The name that the device gave itself, or else what its User-Agent says it is; nil when neither says anything.
    static func of(given: String?, userAgent: String?) -> String? {
        if let name = given.flatMap(tidied) { return name }
        return userAgent.flatMap { tidied($0, lengthMax: userAgentLengthMax) }.flatMap(device).flatMap { tidied($0) }
    }

    /// One line of at most `lengthMax` visible characters and spaces; nil when nothing is left.
    ///
    /// Marks that turn the writing's direction go too: with them a name could dress up as another one.
    static func tidied(_ text: String, lengthMax: Int = lengthMax) -> String? {
        let visible = text.unicodeScalars.lazy.filter { isVisible($0) }.prefix(lengthMax)
        let line = String(String.UnicodeScalarView(visible))
        guard let first = line.firstIndex(where: { $0 != " " }), let last = line.lastIndex(where: { $0 != " " }) else {
            return nil
        }
        return String(line[first...last])
    }

    private static func tidied(_ text: String) -> String? { tidied(text, lengthMax: lengthMax) }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        // The joiner inside emoji is of this category as well, and harmless.
        case .format: scalar.value == 0x200D
        case .spaceSeparator: scalar == " "
        default: true
        }
    }

    /// The kind of device; the order decides, for each of them claims to be several.
    private static func device(_ userAgent: String) -> String? {
        if userAgent.contains("Android") {
            return androidModel(userAgent).map { "Android (\($0))" } ?? "Android"
        }
        return systems.first { userAgent.contains($0.mark) }?.name ?? product(userAgent)
    }

    /// The model in `(Linux; Android 14; Pixel 8 Build/…)`.
    private static func androidModel(_ userAgent: String) -> String? {
        let parts = userAgent.split(whereSeparator: { $0 == ";" || $0 == "(" || $0 == ")" })
        guard let system = parts.firstIndex(where: { $0.drop { $0 == " " }.hasPrefix("Android") }) else { return nil }
        guard let model = parts.dropFirst(system + 1).first else { return nil }
        let name = model.firstRange(of: " Build/").map { model[..<$0.lowerBound] } ?? model
        let trimmed = name.drop { $0 == " " }
        // A slash: the bracket has ended, and this is the browser.
        return hiddenModels.contains(trimmed) || trimmed.contains("/") ? nil : String(trimmed)
    }

    /// The name before the first version: `curl` of `curl/8.5.0`.
    private static func product(_ userAgent: String) -> String? {
        userAgent.split(whereSeparator: { $0 == "/" || $0 == " " }).first.map(String.init)
    }
}
