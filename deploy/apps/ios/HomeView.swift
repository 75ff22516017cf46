import Foundation
import LatchkeyAuth
import SwiftUI

/// The app itself, for a signed-in user.
struct HomeView: View {
    @Environment(AuthModel.self) private var model
    @Environment(LockModel.self) private var lock
    @SwiftUI.State private var message: String?
    @SwiftUI.State private var isDeleting = false

    var body: some View {
        NavigationStack {
            List {
                if model.isOverdue {
                    Label("No connection. You are still signed in.", systemImage: "wifi.slash")
                }
                Section {
                    Text(model.user?.name ?? "Welcome").font(.title2)
                    if let phone = model.user?.phoneNumber { Text(phone) }
                    if let email = model.user?.email { Text(email) }
                }
                Section {
                    NavigationLink("Where you are signed in") { SessionsView() }
                    Button("Sign out") { Task { await model.auth.signOut() } }
                    Button("Sign out on all devices") { Task { await model.auth.signOut(.all) } }
                    Button("Delete the account", role: .destructive) { isDeleting = true }
                }
                if let message { Text(message).foregroundStyle(.red).accessibilityLabel("Error: \(message)") }
            }
            .navigationTitle("Home")
            .refreshable { await reload() }
            .task { await reload() }
            .confirmationDialog(
                "Delete the account and all of its data?", isPresented: $isDeleting, titleVisibility: .visible
            ) {
                Button("Delete", role: .destructive) { Task { await delete() } }
            }
        }
    }

    private func reload() async {
        do { _ = try await model.auth.reloadUser() } catch { if !model.isOverdue { message = Words.of(error) } }
    }

    private func delete() async {
        guard await lock.gate.confirmAgain("Delete the account") else { return }
        do { try await model.auth.deleteAccount() } catch { message = Words.of(error) }
    }
}

/// The first screen of a new user.
struct OnboardingView: View {
    @Binding var isNew: Bool
    @Environment(AuthModel.self) private var model
    @SwiftUI.State private var name = ""
    @SwiftUI.State private var message: String?

    var body: some View {
        Form {
            Text("Welcome! What is your name?").font(.title2)
            TextField("Name", text: $name).textContentType(.name)
            Button("Continue", action: save).disabled(name.isEmpty)
            Button("Not now") { isNew = false }
            if let message { Text(message).foregroundStyle(.red).accessibilityLabel("Error: \(message)") }
        }
    }

    private func save() {
        Task {
            do {
                try await model.auth.update(name: name)
                isNew = false
            } catch {
                message = Words.of(error)
            }
        }
    }
}

/// The user's sessions on all devices.
struct SessionsView: View {
    @Environment(AuthModel.self) private var model
    @SwiftUI.State private var sessions: [SessionInfo] = []
    @SwiftUI.State private var message: String?

    var body: some View {
        List {
            ForEach(sessions) { session in
                VStack(alignment: .leading, spacing: 4) {
                    Text(session.deviceName ?? "Unknown device").font(.headline)
                    Text(session.isCurrent ? "This device" : "Last used \(session.lastUsedAt.formatted())")
                    if !session.isCurrent { Button("Sign out there", role: .destructive) { end(session) } }
                }
                .accessibilityElement(children: .combine)
            }
            if let message { Text(message).foregroundStyle(.red).accessibilityLabel("Error: \(message)") }
        }
        .navigationTitle("Where you are signed in")
        .task { await load() }
    }

    private func load() async {
        do { sessions = try await model.auth.sessions() } catch { message = Words.of(error) }
    }

    private func end(_ session: SessionInfo) {
        Task {
            do { try await model.auth.endSession(session.id) } catch { message = Words.of(error) }
            await load()
        }
    }
}
