import CryptoPrimitives
import FoundationEssentials
import PrivateFiles
import TLSPairs

/// The secrets of a stack of `deploy/run`. Missing ones are made, except in production.
package enum DevelopmentSecrets {
    /// The secrets that every stack needs. `sms_hook_secret` is needed with one sender only.
    package static let names = Manifest.madeSecrets.filter { $0.form != .webhook }

    /// Makes the missing secrets in `directory`; in production reports them and stops.
    ///
    /// - Parameter random: Returns the given number of random bytes.
    package static func complete(
        in directory: String, environment: SupervisorSettings.Environment, random: (Int) -> [UInt8]
    ) throws(StartFailure) {
        let folder = SecretsFolder(directory)
        let missing = folder.missing(names).map(\.name)
        guard environment != .production || missing.isEmpty else {
            throw StartFailure(
                "these secrets are missing in \(directory): \(missing.joined(separator: ", ")). Production invents none. Make "
                    + "them once: latchkeyctl secrets init --for production \(directory)")
        }
        _ = try folder.complete(names, random: random)
    }

    /// Makes the missing secrets that Latchkey's senders send to the fakes, which accept any.
    package static func completeForFakes(in directory: String, random: (Int) -> [UInt8]) throws(StartFailure) {
        let made = [
            "resend_api_key": "re_" + Hex.encode(random(16)), "smtp_password": Hex.encode(random(16)),
            "twilio_auth_token": Hex.encode(random(16)),
            "resend_webhook_secret": "whsec_" + Data(random(32)).base64EncodedString(),
        ]
        for (name, secret) in made { try write(Array("\(secret)\n".utf8), to: directory + "/" + name) }
    }

    /// Makes the stack's key at the fake of Apple, if it is missing.
    package static func makeKeyForFakeApple(at path: String) throws(StartFailure) {
        let key: [UInt8]
        do { key = try NewTLSKey.pem() } catch { throw StartFailure(error.description) }
        try write(key, to: path)
    }

    private static func write(_ secret: [UInt8], to path: String) throws(StartFailure) {
        do { _ = try PrivateFile.writeIfAbsent(secret, to: path) } catch { throw StartFailure(error.description) }
    }
}
