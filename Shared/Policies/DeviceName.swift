/// The name of a device in its user's list of sessions.
///
/// It works on bytes, because the marks are ASCII, and a character may be several scalars, whose boundaries take long to find.
package enum DeviceName {
    package static let lengthMax = 48
    /// The length of a User-Agent beyond which it is not read further.
    package static let userAgentLengthMax = 256

    private static let systems: [(mark: [UInt8], name: String)] = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("CrOS", "Chromebook"), ("Mac OS X", "Mac"),
        ("Macintosh", "Mac"), ("Linux", "Linux"),
    ].map { (Array($0.utf8), $1) }
    private static let android = Array("Android".utf8)
    private static let build = Array(" Build/".utf8)
    private static let space = UInt8(ascii: " ")
    private static let slash = UInt8(ascii: "/")
    /// The values that browsers send to hide the model.
    private static let hiddenModels: Set<String> = ["", "K", "Mobile", "Tablet"]

    /// Returns the name that the device gave itself, or else the one in its User-Agent, or `nil` if there is neither.
    package static func of(given: String?, userAgent: String?) -> String? {
        if let given, let name = tidied(given, lengthMax: lengthMax) { return String(decoding: name, as: UTF8.self) }
        guard let userAgent, let line = tidied(userAgent, lengthMax: userAgentLengthMax), let device = device(line)
        else { return nil }
        return tidied(device, lengthMax: lengthMax).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns one line of at most `lengthMax` visible characters and spaces, in UTF-8, or `nil` if no character is left.
    ///
    /// Marks that change the writing direction are removed too, since with them a name could look like another one.
    private static func tidied(_ text: String, lengthMax: Int) -> ArraySlice<UInt8>? {
        var line: [UInt8] = []
        line.reserveCapacity(min(text.utf8.count, lengthMax))
        var length = 0
        for scalar in text.unicodeScalars where isVisible(scalar) {
            guard length < lengthMax else { break }
            line.append(contentsOf: scalar.utf8)
            length += 1
        }
        guard let first = line.firstIndex(where: { $0 != space }), let last = line.lastIndex(where: { $0 != space })
        else { return nil }
        return line[first...last]
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        case .spaceSeparator: scalar == " "
        // The joiner inside emoji is in this category as well, and harmless.
        case .format: scalar.value == 0x200D
        default: true
        }
    }

    /// Returns the kind of device. The order decides, because each kind claims to be several.
    private static func device(_ userAgent: ArraySlice<UInt8>) -> String? {
        if position(of: android, in: userAgent) != nil {
            return androidModel(userAgent).map { "Android (\($0))" } ?? "Android"
        }
        return systems.first { position(of: $0.mark, in: userAgent) != nil }?.name ?? product(userAgent)
    }

    /// Returns the model in `(Linux; Android 14; Pixel 8 Build/…)`.
    private static func androidModel(_ userAgent: ArraySlice<UInt8>) -> String? {
        let parts = userAgent.split { byte in
            byte == UInt8(ascii: ";") || byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")")
        }
        guard let system = parts.firstIndex(where: { $0.drop { $0 == space }.starts(with: android) }),
            let model = parts.dropFirst(system + 1).first
        else { return nil }
        let name = position(of: build, in: model).map { model[..<$0] } ?? model
        let trimmed = name.drop { $0 == space }
        // With a slash, the parenthesis has ended, and the text is the browser.
        guard !trimmed.contains(slash) else { return nil }
        let text = String(decoding: trimmed, as: UTF8.self)
        return hiddenModels.contains(text) ? nil : text
    }

    /// Returns the name before the first version: `curl` of `curl/8.5.0`.
    private static func product(_ userAgent: ArraySlice<UInt8>) -> String? {
        userAgent.split { $0 == slash || $0 == space }.first.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the start of `mark` in `text`.
    private static func position(of mark: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
        text.indices.dropLast(max(0, mark.count - 1)).first { text[$0] == mark.first && text[$0...].starts(with: mark) }
    }
}
