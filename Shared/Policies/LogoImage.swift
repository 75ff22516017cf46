import FoundationEssentials

/// The app's logo as pages show it: it is part of the page, so that nothing has to be loaded.
package struct LogoImage: Sendable, Equatable {
    /// The maximal size of a file in bytes. A page with such a logo still loads at once on a slow phone.
    private static let bytesMax = 32_768

    /// A `data:` URL (RFC 2397). A browser that shows it as an image runs none of an SVG's scripts.
    package let url: String

    /// Reads the file that `apps.logo` specifies.
    ///
    /// - Throws: `PolicyError` if the file cannot be read, is too large, or is not of the type that its name states.
    package static func load(_ name: String, directory: String, policy: String) throws(PolicyError) -> LogoImage {
        let path = "\(directory)/\(name)"
        guard let content = FileManager.default.contents(atPath: path) else {
            throw PolicyError(file: policy, "apps.logo: \(path) cannot be read")
        }
        guard content.count <= bytesMax else {
            throw PolicyError(
                file: policy,
                "apps.logo: \(path) has \(content.count) bytes. Use a picture of at most \(bytesMax) bytes.")
        }
        guard let type = mediaType(ofFile: name), isImage(content, type) else {
            throw PolicyError(file: policy, "apps.logo: \(path) is not the SVG or PNG that its name says")
        }
        return LogoImage(url: "data:\(type);base64,\(content.base64EncodedString())")
    }

    /// The media type by the file's name, or `nil` if the file cannot be a logo.
    static func mediaType(ofFile name: String) -> String? {
        if name.hasSuffix(".svg") { return "image/svg+xml" }
        return name.hasSuffix(".png") ? "image/png" : nil
    }

    private static func isImage(_ content: Data, _ type: String) -> Bool {
        type == "image/png"
            ? content.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            : String(bytes: content, encoding: .utf8)?.contains("<svg") ?? false
    }
}
