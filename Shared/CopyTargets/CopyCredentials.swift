import Configuration
import OutgoingConnections
import ServiceKit

/// The credentials of targets, and the identity of an SFTP server. None of them is in an address or on a command line.
package struct CopyCredentials: Sendable {
    /// S3's access key.
    struct S3Keys: Sendable {
        let id: String
        let secret: Secret<String>
        /// The token of temporary keys.
        let sessionToken: Secret<String>?

        init(id: String, secret: Secret<String>, sessionToken: Secret<String>? = nil) {
            (self.id, self.secret, self.sessionToken) = (id, secret, sessionToken)
        }
    }

    let s3: S3Keys?
    /// The path of the private key for SFTP, which has no passphrase.
    let sftpKeyFile: String?
    /// The SHA-256 fingerprint of the SFTP server's key, as `ssh-keygen -l` prints it.
    let sftpHostKey: String?
    /// Authorities in PEM that certificates are verified against; `nil` for the system's.
    let authorities: [UInt8]?

    init(s3: S3Keys?, sftpKeyFile: String? = nil, sftpHostKey: String? = nil, authorities: [UInt8]? = nil) {
        (self.s3, self.sftpKeyFile, self.sftpHostKey) = (s3, sftpKeyFile, sftpHostKey)
        self.authorities = authorities
    }

    /// Reads `LATCHKEY_COPY_S3_KEY_ID` with the secrets `copy_s3_secret_key` and `copy_s3_session_token`,
    /// `LATCHKEY_COPY_SFTP_HOST_KEY` with the secret `copy_sftp_key`, and `LATCHKEY_CA_FILE` of this process. Each is optional.
    package init() throws {
        try self.init(ConfigReader(provider: EnvironmentVariablesProvider()))
    }

    init(_ variables: ConfigReader) throws {
        let folder = variables.text("LATCHKEY_SECRETS_DIR") ?? ""
        let secrets = SecretsDirectory(directory: folder, environment: variables)
        if let id = variables.variable("LATCHKEY_COPY_S3_KEY_ID") {
            guard let secret = try secrets.password("copy_s3_secret_key") else {
                throw SettingsError.missing(
                    "secret copy_s3_secret_key", because: "LATCHKEY_COPY_S3_KEY_ID is set",
                    use: "a file of that name with the secret access key")
            }
            s3 = S3Keys(id: id, secret: secret, sessionToken: try secrets.password("copy_s3_session_token"))
        } else {
            s3 = nil
        }
        sftpKeyFile = try secrets.file("copy_sftp_key")
        sftpHostKey = variables.variable("LATCHKEY_COPY_SFTP_HOST_KEY")
        authorities = try variables.variable(OwnAuthorities.setting).map { file in
            do { return try OwnAuthorities(file: file).withSystem() } catch let error as OwnAuthorities.Unreadable {
                throw SettingsError(OwnAuthorities.setting, error.description)
            }
        }
    }
}

extension CopyTargetAddress {
    /// Opens the target. Nothing is sent or read yet.
    ///
    /// - Parameter mayMark: Whether an empty folder becomes a target. `false` for a folder that has been one before: it is empty
    ///   when its disk is not mounted.
    /// - Throws: `SettingsError` if a credential is missing or invalid, or if this host has no libcurl.
    package func open(_ credentials: CopyCredentials, mayMark: Bool = true) throws -> any CopyTarget {
        switch self {
        case .directory(let path): DirectoryTarget(path, mayMark: mayMark)
        case .sftp(let address): try SFTPTarget(address, credentials)
        case .s3(let address): try S3Target(address, credentials)
        }
    }
}
