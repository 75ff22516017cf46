// Reads lines of `REGION<tab>TEXT` (the region may be empty), writes the canonical number or the problem of each.
while let line = readLine() {
    let fields = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
    let region = fields.first.flatMap { $0.isEmpty ? nil : String($0) }
    do {
        print(try PhoneNumber(parsing: String(fields.last ?? ""), region: region).e164)
    } catch {
        print(error.rawValue)
    }
}
