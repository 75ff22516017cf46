import LatchkeyAuth
import Observation
import SwiftUI

/// The lock, for views.
@MainActor @Observable final class LockModel {
    private(set) var isLocked: Bool
    @ObservationIgnored let gate: LockGate

    init(_ gate: LockGate) {
        self.gate = gate
        isLocked = gate.isLocked
        let states = gate.states
        Task { [weak self] in
            for await isLocked in states { self?.isLocked = isLocked }
        }
    }
}

/// The screen in front of the app while it is locked. The user stays signed in.
struct LockedView: View {
    @Environment(LockModel.self) private var lock

    var body: some View {
        VStack(spacing: 24) {
            Image(systemName: "lock").font(.largeTitle).accessibilityHidden(true)
            Text("The app is locked").font(.title2)
            Button("Unlock", action: unlock).buttonStyle(.borderedProminent).controlSize(.large)
        }
        .padding()
        .onAppear(perform: unlock)
    }

    private func unlock() { Task { await lock.gate.unlock("Open the app") } }
}
