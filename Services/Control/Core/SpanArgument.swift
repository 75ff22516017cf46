import ArgumentParser

/// A span of time such as `5s`, `10m`, `12h` or `7d`.
struct SpanArgument: ExpressibleByArgument, Equatable {
    let seconds: Int64

    private static let unitSeconds: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]

    init?(argument: String) {
        guard let unit = argument.last.flatMap({ Self.unitSeconds[$0] }), let count = UInt16(argument.dropLast()),
            count > 0
        else { return nil }
        seconds = Int64(count) * unit
    }
}
