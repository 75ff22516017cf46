import COpenSSL
import Glibc

/// The names of a certificate's subject (RFC 5280 section 4.2.1.6).
enum SubjectNames {
    /// The maximum number of names of a certificate; the usual authorities allow a hundred.
    private static let namesMax = 1_000

    /// Returns host names in lower case, and IP addresses in their canonical text (RFC 5952 section 4).
    static func read(of certificate: OpaquePointer) -> [String] {
        guard let found = unsafe X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil) else { return [] }
        let list = OpaquePointer(found)
        defer { unsafe GENERAL_NAMES_free(list) }
        let count = min(Int(unsafe OPENSSL_sk_num(list)), namesMax)
        return (0..<max(0, count)).compactMap { index in
            let item = unsafe OPENSSL_sk_value(list, Int32(clamping: index))
            return unsafe item.flatMap { unsafe text(of: $0.assumingMemoryBound(to: GENERAL_NAME.self)) }
        }
    }

    private static func text(of name: UnsafePointer<GENERAL_NAME>) -> String? {
        switch unsafe name.pointee.type {
        case GEN_DNS:
            let bytes = unsafe bytes(of: name.pointee.d.dNSName)
            // Clients cannot request a name that is not ASCII; a NUL once made names pass for others.
            guard !bytes.isEmpty, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
            return String(decoding: bytes, as: UTF8.self).lowercased()
        case GEN_IPADD: return unsafe address(bytes(of: name.pointee.d.iPAddress))
        default: return nil
        }
    }

    private static func address(_ bytes: [UInt8]) -> String? {
        guard let family = [4: AF_INET, 16: AF_INET6][bytes.count] else { return nil }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard unsafe inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func bytes(of text: UnsafePointer<ASN1_STRING>?) -> [UInt8] {
        guard let text = unsafe text, let start = unsafe ASN1_STRING_get0_data(text) else { return [] }
        return unsafe Array(UnsafeBufferPointer(start: start, count: Int(max(0, ASN1_STRING_length(text)))))
    }
}
