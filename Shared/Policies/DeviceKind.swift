/// The kind of a device, as its software shows it, so that a session that another kind of device refreshes is noticed.
///
/// Devices that show each other's names count as one kind: an iPhone and an iPad ask for desktop pages as a Mac, and an Android
/// device as Linux.
package enum DeviceKind: String, Sendable, CaseIterable {
    case apple
    case androidOrLinux = "android_or_linux"
    case windows

    private static let marks: [(String, Self)] = [
        ("iPhone", .apple), ("iPad", .apple), ("Android", .androidOrLinux), ("Windows", .windows),
        ("Macintosh", .apple), ("CrOS", .androidOrLinux), ("Linux", .androidOrLinux),
    ]

    /// Reads a User-Agent, or returns `nil` if it names none of these kinds, as those of most HTTP clients.
    package init?(userAgent: String?) {
        let text = userAgent.map { Array($0.utf8.prefix(DeviceName.userAgentLengthMax)) } ?? []
        guard let kind = Self.marks.first(where: { mark, _ in text.contains(Array(mark.utf8)) })?.1 else { return nil }
        self = kind
    }
}
