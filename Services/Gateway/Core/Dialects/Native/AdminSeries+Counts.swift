import InternalAPI

extension AdminSeries {
    init(_ series: CountSeries) {
        (from, stepSeconds, missing) = (series.from, series.stepSeconds, series.missing)
        self.series = series.counts.sorted { $0.key < $1.key }.map { AdminCounts($0.key, $0.value) }
    }
}

extension AdminSeries.AdminCounts {
    /// - Parameter series: The words of its name, of which the first decides what the others are.
    fileprivate init(_ series: String, _ counts: [Int64]) {
        let words = series.split(separator: "/").map(String.init)
        name = words.first.flatMap(Name.init(rawValue:)) ?? .other
        let isByCountry = [.codesSent, .codesUsed, .spend].contains(name)
        (country, channel) = isByCountry ? (words.dropFirst().first, words.dropFirst(2).first) : (nil, nil)
        kind = isByCountry ? nil : words.dropFirst().first
        self.counts = counts
    }
}
