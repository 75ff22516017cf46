import Glibc

/// Returns the seconds for which this thread had a processor while `body` ran, which do not depend on other work.
package func processorTime(_ body: () throws -> Void) rethrows -> Double {
    func now() -> Double {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    try body()
    return now() - start
}
