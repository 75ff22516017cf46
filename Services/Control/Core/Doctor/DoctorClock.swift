import FoundationEssentials

/// Judges the clock of this host against another one's.
enum DoctorClock {
    /// Processes refuse each other's calls beyond this difference.
    private static let differenceMax = 0.5
    /// A difference of this many seconds to a provider breaks signatures and tokens.
    private static let providersMax = 30.0

    /// - Parameters:
    ///   - offset: The seconds by which the other clock is ahead of this one.
    ///   - resolution: The seconds by which the measurement may be wrong.
    static func judged(_ name: String, offset: Double, resolution: Double) -> Finding {
        guard abs(offset) > differenceMax + resolution else { return .ok(name, "the same time") }
        let text = "\(words(offset)). Set the time of both hosts by NTP"
        return abs(offset) > providersMax ? .fault(name, text) : .warning(name, text)
    }

    private static func words(_ offset: Double) -> String {
        let tenths = (abs(offset) * 10).rounded() / 10
        return "\(tenths) s \(offset > 0 ? "ahead of" : "behind") this host"
    }
}
