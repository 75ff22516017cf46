import NIOCore
package import NIOPosix
import Synchronization

/// The pools of every event loop, by loop.
package final class EventLoopPools: Sendable {
    private let entries: [(loop: any EventLoop, pools: NIOLoopBound<LoopPools>)]
    private let turn = Atomic<Int>(0)
    /// The memory for all connections, in bytes.
    let bytesMax: Int

    /// Creates the pools, each on its own loop.
    package static func make(on group: MultiThreadedEventLoopGroup, budget: MemoryBudget) async throws -> EventLoopPools
    {
        var entries: [(any EventLoop, NIOLoopBound<LoopPools>)] = []
        for (index, loop) in group.makeIterator().enumerated() {
            let pools = try await loop.submit {
                NIOLoopBound(LoopPools(eventLoop: loop, name: "\(index)", budget: budget), eventLoop: loop)
            }.get()
            entries.append((loop, pools))
        }
        return EventLoopPools(entries, bytesMax: budget.bytesMax)
    }

    private init(_ entries: [(any EventLoop, NIOLoopBound<LoopPools>)], bytesMax: Int) {
        self.entries = entries
        self.bytesMax = bytesMax
    }

    /// The number of event loops.
    var count: Int { entries.count }

    /// Returns the loop of the calling thread, so that a call changes no thread. For other threads the loops take turns.
    func next() -> (any EventLoop, NIOLoopBound<LoopPools>) {
        if let current = entries.first(where: { $0.loop.inEventLoop }) { return current }
        let position = UInt(bitPattern: turn.wrappingAdd(1, ordering: .relaxed).oldValue) % UInt(entries.count)
        return entries[Int(position)]
    }

    /// Returns the pools of `loop`, or those of the first loop if it is not one of ours.
    func pools(of loop: any EventLoop) -> NIOLoopBound<LoopPools> {
        (entries.first { $0.loop === loop } ?? entries[0]).pools
    }
}
