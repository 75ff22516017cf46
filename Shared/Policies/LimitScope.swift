/// A block of IP addresses that a limit counts together, and how many times the limit's maximum it has.
package struct LimitScope: Sendable, Hashable {
    package let block: CIDR
    package let factor: Int

    /// The maximum of this block if `max` is that of one IP address.
    package func max(of max: Int) -> Int {
        let (product, overflow) = max.multipliedReportingOverflow(by: factor)
        return overflow ? .max : product
    }
}
