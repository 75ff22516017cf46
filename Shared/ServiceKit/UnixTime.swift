import FoundationEssentials

/// The wall clock in the units that Latchkey stores and sends.
package enum UnixTime {
    /// Returns whole seconds since 1970.
    package static func seconds() -> Int64 { milliseconds() / 1000 }

    /// Returns whole milliseconds since 1970.
    package static func milliseconds() -> Int64 {
        Int64(exactly: (Date().timeIntervalSince1970 * 1000).rounded(.down)) ?? 0
    }
}
