/// A small chart of counts over time, as SVG. Its label says in words what its bars show.
struct Chart: Sendable {
    private static let (width, height, gap) = (300, 80, 1)

    let title: String
    let counts: [Int64]
    /// Unix time in seconds at which the first step begins.
    let from: Int64
    let stepSeconds: Int64

    /// - Parameter words: of the page.
    func html(_ words: Words) -> HTML {
        let counts = counts.map { max(0, $0) }
        let most = counts.max() ?? 0
        let sum = Series.sum(counts)
        let label = words(.chartSummary, title, "\(sum)", "\(most)")
        return """
            <figure><figcaption>\(title): \(sum)</figcaption>
            <svg viewBox="0 0 \(Self.width) \(Self.height + 2)" role="img" aria-label="\(label)">
            \(counts.indices.map { bar($0, counts[$0], of: counts.count, most: most) })\
            <line class="axis" x1="0" x2="\(Self.width)" y1="\(Self.height + 1)" y2="\(Self.height + 1)"/></svg></figure>
            """
    }

    private func bar(_ index: Int, _ count: Int64, of steps: Int, most: Int64) -> HTML {
        // Doubles, since counts of any size may come.
        let height = most == 0 ? 0 : Int((Double(count) / Double(most) * Double(Self.height)).rounded())
        let start = index * Self.width / steps
        let width = max(1, (index + 1) * Self.width / steps - start - Self.gap)
        let passed = Int64(index).multipliedReportingOverflow(by: stepSeconds).partialValue
        let second = from.addingReportingOverflow(passed).partialValue
        return """
            <rect x="\(start)" y="\(Self.height - height)" width="\(width)" height="\(height)">\
            <title>\(Words.moment(second)): \(count)</title></rect>

            """
    }
}
