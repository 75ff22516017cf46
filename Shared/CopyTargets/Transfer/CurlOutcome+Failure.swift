import CCurl

extension CurlOutcome {
    /// The failure of a request that got no response; `nil` if it got one.
    ///
    /// - Parameter setting: The variable with the SFTP server's key, or `nil` for a server with a certificate.
    func failure(ofHostKey setting: String? = nil) -> CopyTargetFailure? {
        if let localProblem { return CopyTargetFailure(.unexpected, localProblem) }
        switch stop {
        case .tooSlow: return CopyTargetFailure(.tooSlow, "less than 1 KB in a second for 30 s, or nothing for 10 s")
        case .cancelled: return CopyTargetFailure(.unreachable, "the transfer was cancelled")
        case nil: break
        }
        switch result {
        case CURLE_OK: return nil
        case CURLE_COULDNT_RESOLVE_HOST: return CopyTargetFailure(.unreachable, "the server's name has no address")
        case CURLE_COULDNT_CONNECT, CURLE_OPERATION_TIMEDOUT:
            return CopyTargetFailure(.unreachable, "no connection to the server")
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_SEND_FAIL_REWIND,
            CURLE_SSH:
            return CopyTargetFailure(.unreachable, "the connection to the server broke (libcurl \(result.rawValue))")
        case CURLE_SSL_CONNECT_ERROR: return CopyTargetFailure(.unreachable, "no TLS or SSH handshake with the server")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CACERT_BADFILE:
            return CopyTargetFailure(.wrongHostKey, setting.map(wrongKey) ?? "the server's certificate is not trusted")
        case CURLE_LOGIN_DENIED:
            return CopyTargetFailure(.refused, "the server does not accept the user and the key copy_sftp_key")
        case CURLE_REMOTE_ACCESS_DENIED: return CopyTargetFailure(.refused, "the server does not allow it to this user")
        case CURLE_REMOTE_DISK_FULL: return CopyTargetFailure(.full, "the server's disk has no room")
        case CURLE_REMOTE_FILE_NOT_FOUND: return CopyTargetFailure(.missing, "the file or its folder does not exist")
        case CURLE_QUOTE_ERROR: return CopyTargetFailure(.refused, "the server did not rename or remove a file")
        case CURLE_WRITE_ERROR, CURLE_FILESIZE_EXCEEDED:
            return CopyTargetFailure(.unexpected, "the server sends more than is allowed")
        case CURLE_UNKNOWN_OPTION, CURLE_NOT_BUILT_IN, CURLE_UNSUPPORTED_PROTOCOL:
            return CopyTargetFailure(
                .unexpected,
                "this host's libcurl lacks a function that is needed (for SFTP it must be built with libssh2)")
        default: return CopyTargetFailure(.unexpected, "libcurl's error \(result.rawValue)")
        }
    }

    /// The text for a host key that is not the pinned one, with the fingerprint of the key that the server has.
    private func wrongKey(_ setting: String) -> String {
        let shown = words.firstMatch(of: /Remote ([A-Za-z0-9+\/]{43})=? is/).map { "SHA256:\($0.output.1)" }
        return "the server's host key is \(shown ?? "another one"), which is not that of \(setting)"
    }
}
