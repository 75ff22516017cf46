package import CoreMetrics

extension Counter {
    /// The greatest number of combinations of labels that a process has before their first events.
    private static let combinationsMax = 50

    /// Makes a metric's series with the value 0. Prometheus sees a first event as a rise only if the series was there before it.
    ///
    /// A metric with more than 50 combinations is left to its first events.
    /// - Parameter labels: The names of the labels with their values.
    package static func start(_ metric: String, _ labels: KeyValuePairs<String, [String]> = [:]) {
        var combinations: [[(String, String)]] = [[]]
        for (name, values) in labels {
            combinations = combinations.flatMap { earlier in values.map { earlier + [(name, $0)] } }
            guard combinations.count <= combinationsMax else { return }
        }
        for dimensions in combinations { _ = Counter(label: metric, dimensions: dimensions) }
    }
}
