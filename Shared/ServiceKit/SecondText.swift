import Synchronization

/// A text that changes once a second and is made once for each second. Using a calendar for every text would cost more than
/// everything around it.
package final class SecondText: Sendable {
    private struct Made {
        var second: Int64 = .min
        var text = ""
    }

    private let made = Mutex(Made())
    private let make: @Sendable (Int64) -> String

    /// - Parameter make: Makes the text of a Unix time in seconds.
    package init(_ make: @escaping @Sendable (Int64) -> String) { self.make = make }

    /// The text of a second in Unix time.
    package subscript(second: Int64) -> String {
        made.withLock { made in
            if made.second != second { made = Made(second: second, text: make(second)) }
            return made.text
        }
    }
}
