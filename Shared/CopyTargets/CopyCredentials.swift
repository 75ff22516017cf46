import OutgoingConnections
package import ServiceKit

/// The credentials of targets, and the identity of an SFTP server. None of them is in an address or on a command line.
package struct CopyCredentials: Sendable {
    /// S3's access key.
    package struct S3Keys: Sendable {
        package let id: String
        package let secret: Secret<String>
        /// The token of temporary keys.
        package let sessionToken: Secret<String>?

        package init(id: String, secret: Secret<String>, sessionToken: Secret<String>? = nil) {
            (self.id, self.secret, self.sessionToken) = (id, secret, sessionToken)
        }
    }

    package var s3: S3Keys?
    /// The path of the private key for SFTP, which has no passphrase.
    package var sftpKeyFile: String?
    /// The SHA-256 fingerprint of the SFTP server's key, as `ssh-keygen -l` prints it.
    package var sftpHostKey: String?
    /// Authorities in PEM that certificates are verified against; `nil` for the system's.
    package var authorities: [UInt8]?

    package init() {}

    /// Reads `LATCHKEY_COPY_S3_KEY_ID` with the secrets `copy_s3_secret_key` and `copy_s3_session_token`,
    /// `LATCHKEY_COPY_SFTP_HOST_KEY` with the secret `copy_sftp_key`, and `LATCHKEY_CA_FILE`.
    package init(_ variables: some VariableSource, secrets: SecretsDirectory) throws {
        if let id = variables.variable("LATCHKEY_COPY_S3_KEY_ID") {
            guard let secret = try secrets.password("copy_s3_secret_key") else {
                throw SettingsError.missing(
                    "secret copy_s3_secret_key", because: "LATCHKEY_COPY_S3_KEY_ID is set",
                    use: "a file of that name with the secret access key")
            }
            s3 = S3Keys(id: id, secret: secret, sessionToken: try secrets.password("copy_s3_session_token"))
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
    /// Opens the target. Nothing is sent yet.
    ///
    /// - Parameter mayMark: Whether an empty folder becomes a target. `false` for a folder that has been one before: it is empty
    ///   when its disk is not mounted.
    /// - Throws: `SettingsError` if a credential is missing or invalid, and `CopyTargetFailure`.
    package func open(_ credentials: CopyCredentials, mayMark: Bool = true) throws -> any CopyTarget {
        switch self {
        case .directory(let path): try DirectoryTarget(path, mayMark: mayMark)
        case .sftp(let address): try SFTPTarget(address, credentials)
        case .s3(let address): try S3Target(address, credentials)
        }
    }
}
