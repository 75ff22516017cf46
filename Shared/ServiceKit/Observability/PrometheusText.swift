/// Writes series in the Prometheus text format 0.0.4: families together, HELP and TYPE before their samples.
struct PrometheusText {
    private(set) var text = ""

    /// Writes all series of one kind, family by family.
    mutating func add<Series>(
        kind: String, _ all: [SeriesName: Series], write: (Series, SeriesName, inout PrometheusText) -> Void
    ) {
        var metric = ""
        for (name, series) in all.sorted(by: { ($0.key.metric, $0.key.labels) < ($1.key.metric, $1.key.labels) }) {
            if name.metric != metric {
                metric = name.metric
                family(metric, kind: kind)
            }
            write(series, name, &self)
        }
    }

    /// Begins a family.
    mutating func family(_ metric: String, kind: String) {
        text += "# HELP \(metric) \(Metrics.help(for: metric))\n# TYPE \(metric) \(kind)\n"
    }

    /// Writes one sample.
    mutating func sample(_ name: SeriesName, _ value: Double, suffix: String = "", label: String = "") {
        let labels = [name.labels, label].filter { !$0.isEmpty }.joined(separator: ",")
        text += "\(name.metric)\(suffix)\(labels.isEmpty ? "" : "{\(labels)}") \(Self.number(value))\n"
    }

    /// Writes the cumulative buckets, sum and count of one series.
    mutating func histogram(_ name: SeriesName, _ snapshot: HistogramSeries.Snapshot) {
        var total: UInt64 = 0
        let bounds = HistogramSeries.boundsSeconds.map(Self.number) + ["+Inf"]
        for (bound, count) in zip(bounds, snapshot.counts) {
            total += count
            sample(name, Double(total), suffix: "_bucket", label: "le=\"\(bound)\"")
        }
        sample(name, snapshot.sum, suffix: "_sum")
        sample(name, Double(total), suffix: "_count")
    }

    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? String(value)
    }
}
