/// How long a connection may rest between two requests.
enum IdleTime {
    /// Share of the slots up to which it is the longest.
    private static let plentyDivisor = 2
    /// With no slot left it is so many times shorter.
    private static let shortestDivisor: Int64 = 10

    /// All of `longest` while half of the slots are free; then less and less, a tenth of it, at least a second, with none.
    static func seconds(longest: Int64, open: Int, max: Int) -> Int64 {
        let plenty = max / plentyDivisor
        guard open > plenty, max > plenty else { return longest }
        let shortest = Swift.max(1, longest / shortestDivisor)
        let free = Int64(clamping: Swift.max(0, max - open))
        let (scaled, overflow) = (longest - shortest).multipliedReportingOverflow(by: free)
        return overflow ? longest : min(longest, shortest + scaled / Int64(clamping: max - plenty))
    }
}
