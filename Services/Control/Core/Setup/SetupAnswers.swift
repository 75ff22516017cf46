import Policies

/// A line of the file of settings, which systemd reads too.
struct SetupSetting: Sendable, Equatable {
    let name: String
    let value: String

    init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

    /// Reads `NAME=VALUE`; returns `nil` for any other text. systemd would expand or unescape some characters, so a value has none
    /// of them.
    init?(_ line: some StringProtocol) {
        guard let sign = line.firstIndex(of: "=") else { return nil }
        let (name, value) = (line[..<sign], line[line.index(after: sign)...])
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isOfName), Self.isPlain(value) else { return nil }
        self.init(String(name), String(value))
    }

    var line: String { "\(name)=\(value)" }

    static func isPlain(_ value: some StringProtocol) -> Bool {
        value.unicodeScalars.allSatisfy {
            $0.value >= 0x20 && $0.value != 0x7f && !"\"'\\`$".unicodeScalars.contains($0)
        }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

/// The operator's answers about a new deployment.
struct SetupAnswers: Sendable {
    /// The name of the operator's own policy, which is a copy of the default one.
    static let ownPolicy = "mine"

    let environment: DeploymentEnvironment
    let appName: String?
    let publicURL: String?
    let upstream: String?
    let sender: String?
    /// Other settings.
    let others: [SetupSetting]

    /// - Parameter others: Lines `NAME=VALUE`.
    /// - Throws: `CommandFailure` for a value that the file of settings cannot contain.
    init(
        environment: DeploymentEnvironment, appName: String?, publicURL: String?, upstream: String?, sender: String?,
        others: [String]
    ) throws {
        for value in [appName, publicURL, upstream, sender].compactMap(\.self) where !SetupSetting.isPlain(value) {
            throw CommandFailure(description: "\"\(value)\": quotes, \\, ` and $ cannot be in a setting.")
        }
        (self.environment, self.appName, self.publicURL) = (environment, appName, publicURL)
        (self.upstream, self.sender) = (upstream, sender)
        self.others = try others.map { text in
            guard let setting = SetupSetting(text) else {
                throw CommandFailure(
                    description: "--set \(text): use NAME=VALUE, without quotes, \\, ` and $ in the value.")
            }
            return setting
        }
    }

    /// Whether the deployment has a policy of its own; development uses the default one as it is.
    var hasOwnPolicy: Bool { environment != .development }

    /// Returns the lines of the file of settings.
    ///
    /// - Parameter policies: The folder of policies.
    func settings(policies: String) -> [SetupSetting] {
        let given = [
            ("LATCHKEY_APP_NAME", hasOwnPolicy ? nil : appName),
            ("LATCHKEY_PUBLIC_URL", hasOwnPolicy ? nil : publicURL),
            ("LATCHKEY_UPSTREAM", upstream), ("OTP_SENDER", sender),
        ]
        return [
            SetupSetting("LATCHKEY_ENV", environment.rawValue),
            SetupSetting("LATCHKEY_POLICY", hasOwnPolicy ? Self.ownPolicy : Policy.defaultName),
            SetupSetting("LATCHKEY_POLICIES_DIR", policies),
            SetupSetting("REDIS_URL", "unix://" + SetupFiles.redisSocket),
        ] + given.compactMap { name, value in value.map { SetupSetting(name, $0) } } + others
    }

    /// Returns the default policy with these answers in place of its examples.
    ///
    /// - Throws: `CommandFailure` if the policy has no place for one.
    func policy(from starter: String) throws -> String {
        let url = publicURL ?? ""
        let host = url.split(separator: "/").dropFirst().first.map(String.init) ?? url
        let values = [
            ("issuer:", "issuer: \(url)"), ("audience:", "audience: \(host)\npublicURL: \(url)"),
            ("  # appName:", "  appName: \"\(appName ?? "")\""),
        ]
        var lines = starter.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for (start, value) in values {
            guard let index = lines.firstIndex(where: { $0.hasPrefix(start) }) else {
                throw CommandFailure(
                    description:
                        "\(Policy.defaultName).yaml has no line \"\(start)\". Install the package's own file again.")
            }
            lines[index] = value
        }
        return lines.joined(separator: "\n")
    }
}
