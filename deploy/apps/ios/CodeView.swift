import Foundation
import LatchkeyAuth
import SwiftUI

/// The second screen: six boxes for the code, which the system fills in, and a way to have it sent again.
struct CodeView: View {
    @SwiftUI.State private var pending: PendingCode
    @SwiftUI.State private var entry = CodeEntry()
    @SwiftUI.State private var waitUntil = Date.now.addingTimeInterval(30)
    @SwiftUI.State private var resendAfter = 30.0
    @SwiftUI.State private var message: String?
    @SwiftUI.State private var isBusy = false
    @Binding private var link: URL?
    @Binding private var isNew: Bool
    @Environment(AuthModel.self) private var model

    init(pending: PendingCode, link: Binding<URL?>, isNew: Binding<Bool>) {
        _pending = SwiftUI.State(initialValue: pending)
        _link = link
        _isNew = isNew
    }

    var body: some View {
        ScrollView {
            VStack(alignment: .leading, spacing: 24) {
                Text(instruction).font(.body)
                OneTimeCodeField("Code of \(entry.length) digits", entry: $entry)
                    .onChange(of: entry) { if entry.isComplete { signIn() } }
                if let message { Text(message).foregroundStyle(.red).accessibilityLabel("Error: \(message)") }
                resend
                if isBusy { ProgressView().accessibilityLabel("Signing in") }
            }
            .padding()
        }
        .navigationTitle("Enter the code")
        .task { await readLimits() }
        .onAppear { openLink() }
        .onChange(of: link) { openLink() }
    }

    private var instruction: String {
        switch pending.destination {
        case .phone(let phone, _, .call): "We are calling \(phone) with a code."
        case .phone(let phone, _, _): "We have sent a code to \(phone)."
        case .email(let email):
            "We have sent a code and a link to \(email). Open the link on this device, or type the code."
        }
    }

    /// The button counts down until another code can be requested.
    private var resend: some View {
        TimelineView(.periodic(from: .now, by: 1)) { context in
            let left = Int(waitUntil.timeIntervalSince(context.date).rounded(.up))
            VStack(alignment: .leading, spacing: 12) {
                Button(left > 0 ? "Send again in \(left) s" : "Send again") { sendAgain(nil) }
                if case .phone = pending.destination {
                    Button("Call me with the code") { sendAgain(.call) }
                }
            }
            .disabled(left > 0 || isBusy)
        }
    }

    private func readLimits() async {
        // Without the document the usual values stay.
        guard let limits = try? await model.auth.discover() else { return }
        if let length = limits.codeLength, entry.digits.isEmpty { entry = CodeEntry(length: length) }
        if let wait = limits.resendAfter { resendAfter = wait / .seconds(1) }
    }

    private func signIn() {
        perform {
            do {
                finish(try await model.auth.signIn(pending, code: entry.digits))
            } catch AuthError.codeRefused(let reason) {
                entry.clear()
                throw AuthError.codeRefused(reason)
            }
        }
    }

    /// Signs in by the link of the mail that the app was opened with.
    private func openLink() {
        guard let url = link, case .email = pending.destination else { return }
        link = nil
        perform { finish(try await model.auth.signInWithLink(pending, url)) }
    }

    private func sendAgain(_ channel: Channel?) {
        perform {
            pending = try await model.auth.resend(pending, channel: channel)
            try? model.auth.keep(pending)
            entry.clear()
            waitUntil = Date.now.addingTimeInterval(resendAfter)
        }
    }

    private func finish(_ signIn: SignIn) {
        try? model.auth.keep(nil)
        isNew = signIn.isNewUser
    }

    private func perform(_ body: @escaping @MainActor () async throws -> Void) {
        guard !isBusy else { return }
        isBusy = true
        message = nil
        Task {
            do {
                try await body()
            } catch {
                message = Words.of(error)
                if case AuthError.rateLimited(_, let wait) = error {
                    waitUntil = Date.now.addingTimeInterval(wait / .seconds(1))
                }
            }
            isBusy = false
        }
    }
}
