import CCurl
import CryptoPrimitives
import Curl
import PrivateFiles
import ServiceKit

/// A bucket of Amazon S3 or of another service with its API.
///
/// Every request is signed (AWS Signature Version 4) and states the digest of its body, so that S3 stores no file that was
/// changed on the way. A `PUT` is atomic. Addresses have the bucket in their path, which all services accept.
struct S3Target: CopyTarget {
    private let address: S3Address
    private let keys: CopyCredentials.S3Keys
    private let session: CurlSession

    private static let emptyDigest = Hex.encode(SHA256.hash([]))
    private static let pageBytesMax = 4 << 20
    private static let pagesMax = 1000

    init(_ address: S3Address, _ credentials: CopyCredentials, limits: TransferPace.Limits = .init()) throws {
        guard let keys = credentials.s3 else {
            throw SettingsError.missing(
                "LATCHKEY_COPY_S3_KEY_ID", because: "the copy goes to S3",
                use: "the access key's id, with the secret copy_s3_secret_key")
        }
        self.address = address
        self.keys = keys
        let authorities = credentials.authorities
        session = try CurlSession(limits: limits) { options in
            // The address allows http for loopback only.
            options.set(CURLOPT_PROTOCOLS_STR, address.endpoint.hasPrefix("https") ? "https" : "http")
            options.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
            options.set(CURLOPT_SSL_VERIFYPEER, 1)
            options.set(CURLOPT_SSL_VERIFYHOST, 2)
            if let authorities { options.set(CURLOPT_CAINFO_BLOB, authorities) }
            options.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
            options.set(CURLOPT_AWS_SIGV4, "aws:amz:\(address.region):s3")
            options.set(CURLOPT_USERNAME, keys.id)
            options.set(CURLOPT_PASSWORD, keys.secret.value)
        }
    }

    func put(_ path: String, as name: String) async throws(CopyTargetFailure) {
        let url = try url(name)
        let bytes = try LocalFile.size(path)
        let digest: String
        do throws(FileFailure) { digest = try PrivateFile.sha256(path) } catch {
            throw CopyTargetFailure(.unexpected, error.description)
        }
        _ = try await perform(url, .upload(path, bytes: bytes), digest: digest)
        let stored = try await perform(url, .size).size
        guard stored == bytes else {
            throw CopyTargetFailure(.unexpected, "the server stored \(stored) of \(bytes) bytes")
        }
    }

    func get(_ name: String, to path: String, bytesMax: Int) async throws(CopyTargetFailure) {
        let url = try url(name)
        try await LocalFile.receive(path) { () throws(CopyTargetFailure) in
            _ = try await perform(url, .download(to: path, bytesMax: bytesMax))
        }
    }

    func list(_ prefix: String) async throws(CopyTargetFailure) -> [CopyTargetFile] {
        var (files, token, pages) = ([CopyTargetFile](), String?.none, 0)
        repeat {
            let query = S3Listing.query(prefix: key(prefix), after: token)
            let outcome = try await perform("\(bucket)?\(query)", .read(bytesMax: Self.pageBytesMax))
            guard let page = S3Listing(outcome.body, under: key("")) else {
                throw CopyTargetFailure(.unexpected, "the server's listing has another form")
            }
            files += page.files.filter { $0.name.hasPrefix(prefix) }
            pages += 1
            guard files.count <= CopyTargetFile.countMax, pages < Self.pagesMax, page.next == nil || page.next != token
            else { throw FolderWalk.tooMany }
            token = page.next
        } while token != nil
        return files.sorted { $0.name < $1.name }
    }

    func remove(_ names: [String]) async throws(CopyTargetFailure) {
        for name in names {
            do throws(CopyTargetFailure) { _ = try await perform(try url(name), .delete) } catch {
                guard error == .noSuchKey else { throw error }
            }
        }
    }

    // MARK: - Requests

    private var bucket: String { "\(address.endpoint)/\(address.bucket)" }

    private func key(_ name: String) -> String { address.prefix.isEmpty ? name : "\(address.prefix)/\(name)" }

    private func url(_ name: String) throws(CopyTargetFailure) -> String {
        "\(bucket)/\(key(try CopyTargetFile.checked(name)))"
    }

    private func perform(
        _ url: String, _ action: CurlRequest.Action, digest: String = emptyDigest
    ) async throws(CopyTargetFailure) -> CurlOutcome {
        var headers = ["x-amz-content-sha256: \(digest)"]
        if let token = keys.sessionToken { headers.append("x-amz-security-token: \(token.value)") }
        let outcome = try await session.perform(CurlRequest(url: url, action: action, headers: headers))
        // A server that refuses an upload may close the connection before it has read everything.
        if outcome.status < 300, let failure = outcome.failure() { throw failure }
        if let failure = S3Refusal.failure(of: outcome) { throw failure }
        return outcome
    }
}
