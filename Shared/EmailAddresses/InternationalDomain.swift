import Glibc

/// Converts domains with letters beyond ASCII, with Debian's libidn2 (UTS 46, nontransitional).
enum InternationalDomain {
    /// Returns the domain in ASCII: `bücher.example` becomes `xn--bcher-kva.example`, and an ASCII domain stays unchanged.
    ///
    /// - Returns: `nil` if the domain is not valid, or if libidn2 is not installed.
    static func ascii(_ domain: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard domain.contains(where: { $0 >= 0x80 }) else { return domain }
        guard !domain.contains(0), String(validating: domain, as: UTF8.self) != nil else { return nil }
        return IDNLibrary.shared?.lookup(domain)
    }
}

/// The library, loaded by the first domain that needs it, since its tables take memory.
///
/// Its functions may be called by any thread.
@safe private struct IDNLibrary: @unchecked Sendable {
    static let shared = IDNLibrary()

    private typealias Lookup =
        @convention(c) (UnsafePointer<UInt8>?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, CInt) -> CInt
    private typealias Free = @convention(c) (UnsafeMutableRawPointer?) -> Void

    /// `IDN2_NFC_INPUT` and `IDN2_NONTRANSITIONAL`.
    private static let flags: CInt = 1 | 8

    /// `idn2_lookup_u8`
    private let lookUp: Lookup
    /// `idn2_free`
    private let free: Free

    private init?() {
        guard let library = unsafe dlopen("libidn2.so.0", RTLD_NOW | RTLD_LOCAL),
            let lookUp = unsafe dlsym(library, "idn2_lookup_u8"), let free = unsafe dlsym(library, "idn2_free")
        else { return nil }
        unsafe self.lookUp = unsafe unsafeBitCast(lookUp, to: Lookup.self)
        unsafe self.free = unsafe unsafeBitCast(free, to: Free.self)
    }

    func lookup(_ domain: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var result: UnsafeMutablePointer<UInt8>?
        let code = unsafe (Array(domain) + [0]).withUnsafeBufferPointer {
            unsafe lookUp($0.baseAddress, &result, Self.flags)
        }
        guard let found = unsafe result else { return nil }
        defer { unsafe free(found) }
        guard code == 0 else { return nil }
        return unsafe Array(
            UnsafeBufferPointer(
                start: found, count: strlen(UnsafeRawPointer(found).assumingMemoryBound(to: CChar.self))))[...]
    }
}
