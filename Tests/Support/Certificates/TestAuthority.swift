import FoundationEssentials

/// A certificate authority of a test's own, in a folder of its own, made with the `openssl` command.
package struct TestAuthority: Sendable {
    /// The error output of `openssl`.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// Where its files and the certificates that it issues lie: `NAME.crt` and `NAME.key`.
    package let folder: String
    private let name: String

    /// Its own certificate (PEM): who is told to trust this file trusts all that it issues.
    package var certificate: String { "\(folder)/\(name).crt" }

    /// Makes an authority in `folder`, which may hold several of other names; the folder is made if need be.
    ///
    /// - Parameter lifetimeSeconds: of its own certificate.
    package static func make(
        _ name: String = "authority", in folder: String, lifetimeSeconds: Int = 90 * 86_400
    ) async throws -> TestAuthority {
        let authority = TestAuthority(folder: folder, name: name)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let request = TestCertificate.Request(names: [], lifetimeSeconds: lifetimeSeconds)
        try await authority.run(TestAuthority.selfSigned, request, name: name, key: nil)
        return authority
    }

    /// Issues a certificate for names and addresses, with a new key or an old one.
    ///
    /// - Parameters:
    ///   - name: of its files; those of the same name are replaced.
    ///   - key: a key file that is certified again, as in a renewal; nil: a new key is made.
    package func issue(
        _ name: String, _ request: TestCertificate.Request = .init(), key: String? = nil
    ) async throws -> TestCertificate {
        try await run(Self.issued, request, name: name, key: key)
        return try await TestCertificate.read(name, in: folder)
    }

    /// Makes an authority below this one. Certificates of that one come with its own, as a chain.
    package func intermediate(_ name: String) async throws -> TestAuthority {
        let request = TestCertificate.Request(names: [], kind: .authority)
        try await run(Self.issued, request, name: name, key: nil)
        return TestAuthority(folder: folder, name: name)
    }

    private func run(
        _ script: String, _ request: TestCertificate.Request, name: String, key: String?
    ) async throws {
        let outcome = try await Shell.run(
            Self.beginning + script, in: folder,
            environment: request.environment.merging(
                ["NAME": name, "AUTHORITY": self.name, "KEY": key ?? ""]) { first, _ in first })
        guard outcome.isSuccess else { throw Failure(description: "\(name): \(outcome.output)") }
    }

    /// The common start of both ways: a scratch folder, a configuration, a key.
    private static let beginning = """
        set -euo pipefail
        scratch=$(mktemp -d ./scratch.XXXXXX)
        trap 'rm -r "$scratch"' EXIT
        : >"$scratch/index"
        {
          printf '[ca]\\ndefault_ca=default\\n[default]\\ndatabase=%s/index\\nnew_certs_dir=%s\\n' "$scratch" "$scratch"
          printf 'rand_serial=yes\\ndefault_md=sha256\\npolicy=any\\nunique_subject=no\\nemail_in_dn=no\\n'
          printf '[any]\\ncommonName=supplied\\n[req]\\ndistinguished_name=dn\\nprompt=no\\n[dn]\\nCN=%s\\n' "$NAME"
          printf '[server]\\nbasicConstraints=critical,CA:FALSE\\nkeyUsage=critical,digitalSignature\\n'
          printf 'extendedKeyUsage=serverAuth,clientAuth\\nauthorityKeyIdentifier=keyid\\n'
          [ -z "$SUBJECT_NAMES" ] || printf 'subjectAltName=%s\\n' "$SUBJECT_NAMES"
          printf '[authority]\\nbasicConstraints=critical,CA:TRUE\\nkeyUsage=critical,keyCertSign,cRLSign\\n'
          printf 'subjectKeyIdentifier=hash\\n'
        } >"$scratch/configuration"
        moment() { date -u -d "@$(($(date +%s) + $1))" +%Y%m%d%H%M%SZ; }
        if [ -n "$KEY" ]; then
          [ "$KEY" -ef "$NAME.key" ] || install -m 600 "$KEY" "$NAME.key"
        else
          (umask 077; openssl genpkey $KEY_OPTIONS -out "$scratch/key" 2>&1; mv "$scratch/key" "$NAME.key")
        fi
        openssl req -new -config "$scratch/configuration" -key "$NAME.key" -out "$scratch/request"
        certify() {
          openssl ca -batch -notext -config "$scratch/configuration" -in "$scratch/request" -out "$scratch/certificate" \\
            -startdate "$(moment "$NOT_BEFORE")" -enddate "$(moment "$NOT_AFTER")" -md "$DIGEST" "$@" 2>&1
        }

        """

    private static let selfSigned = """
        certify -selfsign -keyfile "$NAME.key" -extensions authority
        mv "$scratch/certificate" "$NAME.crt"
        """

    private static let issued = """
        certify -cert "$AUTHORITY.crt" -keyfile "$AUTHORITY.key" -extensions "$KIND"
        # An authority that is not its own comes along.
        if ! openssl verify -CAfile "$AUTHORITY.crt" -check_ss_sig "$AUTHORITY.crt" >/dev/null 2>&1; then
          cat "$AUTHORITY.crt" >>"$scratch/certificate"
        fi
        mv "$scratch/certificate" "$NAME.crt"
        """
}
