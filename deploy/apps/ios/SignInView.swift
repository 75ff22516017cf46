import AuthenticationServices
import Foundation
import LatchkeyAuth
import SwiftUI

/// The first screen: a phone number, an email address, or Apple.
struct SignInView: View {
    let reason: SignOutReason?
    @Binding var link: URL?
    @Binding var isNew: Bool
    @Environment(AuthModel.self) private var model
    @SwiftUI.State private var way = Way.phone
    @SwiftUI.State private var region = Region.current
    @SwiftUI.State private var phone = ""
    @SwiftUI.State private var email = ""
    @SwiftUI.State private var pending: PendingCode?
    @SwiftUI.State private var attempt: AppleSignIn?
    @SwiftUI.State private var message: String?
    @SwiftUI.State private var isBusy = false

    enum Way: Hashable { case phone, email }

    var body: some View {
        NavigationStack {
            Form {
                if let text = Words.ended(reason) { Section { Text(text) } }
                Section {
                    Picker("Sign in by", selection: $way) {
                        Text("Phone").tag(Way.phone)
                        Text("Email").tag(Way.email)
                    }
                    if way == .phone { phoneFields } else { emailField }
                    Button("Send the code", action: send)
                        .disabled(isBusy || (way == .phone ? phone.isEmpty : email.isEmpty))
                }
                Section {
                    SignInWithAppleButton(.signIn) { request in
                        attempt = AppleSignIn(request)
                    } onCompletion: { result in
                        signIn(result)
                    }
                    .frame(minHeight: 48)
                }
                if let message {
                    Section { Text(message).foregroundStyle(.red).accessibilityLabel("Error: \(message)") }
                }
            }
            .navigationTitle("Sign in")
            .navigationDestination(item: $pending) { pending in
                CodeView(pending: pending, link: $link, isNew: $isNew)
            }
            // The system may have ended the app while the user read the message.
            .onAppear { pending = model.auth.keptCode }
        }
    }

    @ViewBuilder private var phoneFields: some View {
        Picker("Country", selection: $region) {
            ForEach(Region.all) { region in Text("\(region.name) (\(region.id))").tag(region) }
        }
        TextField("Phone number", text: $phone)
            .keyboardType(.phonePad)
            .textContentType(.telephoneNumber)
    }

    private var emailField: some View {
        TextField("Email address", text: $email)
            .keyboardType(.emailAddress)
            .textContentType(.emailAddress)
            .textInputAutocapitalization(.never)
            .autocorrectionDisabled()
    }

    private func send() {
        perform {
            let auth = model.auth
            let sent =
                way == .phone
                ? try await auth.requestCode(phone: phone, region: region.id, locale: .current)
                : try await auth.requestCode(email: email, locale: .current)
            // A code that cannot be kept is only lost if the system ends the app.
            try? auth.keep(sent)
            pending = sent
        }
    }

    private func signIn(_ result: Result<ASAuthorization, any Error>) {
        guard let attempt else { return }
        perform { isNew = try await model.auth.signInWithApple(attempt, result)?.isNewUser ?? false }
    }

    private func perform(_ body: @escaping @MainActor () async throws -> Void) {
        isBusy = true
        message = nil
        Task {
            do { try await body() } catch { message = Words.of(error) }
            isBusy = false
        }
    }
}

// Previews are made in the simulator. A segmented picker and fields of a fixed height would not grow with the text.
#if targetEnvironment(simulator)
#Preview("The largest text") {
    SignInView(reason: .expired, link: .constant(nil), isNew: .constant(false))
        .environment(AuthModel(LatchkeyAuth(.init(baseURL: URL(filePath: "/")))))
        .dynamicTypeSize(.accessibility5)
}
#endif
