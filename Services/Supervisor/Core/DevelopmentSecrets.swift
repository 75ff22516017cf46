import CryptoPrimitives
import FoundationEssentials

/// The secrets of a stack: one file each, made when missing except in production.
package enum DevelopmentSecrets {
    /// Redis passwords: one line each.
    package static let passwords = Manifest.redisUsers.map { "redis_" + $0.name }

    /// Makes the missing ones in `directory`; in production names them and stops.
    ///
    /// - Parameter random: returns so many random bytes.
    package static func complete(
        in directory: String, environment: SupervisorSettings.Environment, random: (Int) -> [UInt8]
    ) throws(StartFailure) {
        let missing = (Manifest.keyRings + passwords).filter { StateFile.read(directory + "/" + $0) == nil }
        guard environment != .production || missing.isEmpty else {
            throw StartFailure(
                "in production no secret is invented; missing in \(directory): \(missing.joined(separator: ", "))")
        }
        for name in missing {
            let secret = Hex.encode(random(32))
            try StateFile.write(
                Manifest.keyRings.contains(name) ? "k1 \(secret)\n" : secret + "\n", to: directory + "/" + name)
        }
    }

    /// What our senders show to the fakes, which take anything; what stands there already stays.
    package static func completeForFakes(in directory: String, random: (Int) -> [UInt8]) throws(StartFailure) {
        let made = [
            "resend_api_key": "re_" + Hex.encode(random(16)), "smtp_password": Hex.encode(random(16)),
            "twilio_auth_token": Hex.encode(random(16)),
            "resend_webhook_secret": "whsec_" + Data(random(32)).base64EncodedString(),
        ]
        for (name, secret) in made where StateFile.read(directory + "/" + name) == nil {
            try StateFile.write(secret + "\n", to: directory + "/" + name)
        }
    }

    /// The Redis passwords by user name.
    package static func redisPasswords(in directory: String) throws(StartFailure) -> [String: String] {
        var passwords: [String: String] = [:]
        for user in Manifest.redisUsers {
            let path = directory + "/redis_" + user.name
            guard let line = StateFile.read(path)?.split(whereSeparator: \.isNewline).first else {
                throw StartFailure("\(path) is empty or cannot be read; expected a password on one line")
            }
            passwords[user.name] = String(line)
        }
        return passwords
    }
}
