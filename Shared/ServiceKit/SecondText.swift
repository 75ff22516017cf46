import Synchronization

/// A text that changes once a second, made once for each: a calendar asked every time costs more than all around it.
package final class SecondText: Sendable {
    private struct Made {
        var second: Int64 = .min
        var text = ""
    }

    private let made = Mutex(Made())
    private let make: @Sendable (Int64) -> String

    /// - Parameter make: gets Unix time in seconds.
    package init(_ make: @escaping @Sendable (Int64) -> String) { self.make = make }

    /// The text of a second, Unix time.
    package subscript(second: Int64) -> String {
        made.withLock { made in
            if made.second != second { made = Made(second: second, text: make(second)) }
            return made.text
        }
    }
}
