/// The texts of the pages: in English, then after a `|` in German, with a `{}` for each value.
enum ConsoleText: String, CaseIterable {
    case active = "active | aktiv"
    case address = "Phone number or email address | Telefonnummer oder E-Mail-Adresse"
    case allCountries = "all | alle"
    case audit = "Audit | Protokoll"
    case auditAdvice = """
        What administrators, users and the services did. Times are UTC. | \
        Was Administratoren, Benutzer und die Dienste getan haben. Zeiten in UTC.
        """
    case bothChanged = """
        Somebody else has changed this person meanwhile. Nothing was done. Look at the page below, and repeat it \
        if it is still right. | \
        Jemand anders hat diese Person inzwischen geändert. Es wurde nichts getan. Prüfen Sie die Seite unten, \
        und wiederholen Sie es, wenn es noch richtig ist.
        """
    case budget = "Budget of the day | Budget des Tages"
    case cancelDeletion = "Restore the account | Konto wiederherstellen"
    case channel = "Channel | Kanal"
    case chartSummary = "{}: {} in all, at most {} in one step | {}: insgesamt {}, höchstens {} in einem Schritt"
    case circuits = "Providers | Anbieter"
    case clearReview = "End the review | Prüfung beenden"
    case codeSent = "A code was sent to {}. | Ein Code wurde an {} gesendet."
    case codesByCountry = "Codes by country, 24 hours | Codes nach Land, 24 Stunden"
    case codesSent = "Codes sent | Codes gesendet"
    case console = "Console | Konsole"
    case count = "Number | Anzahl"
    case country = "Country | Land"
    case created = "Created | Angelegt"
    case days = "30 days | 30 Tage"
    case deactivate = "Deactivate | Deaktivieren"
    case deactivateAdvice = """
        The person is signed out everywhere, and cannot sign in until the account is activated again. | \
        Die Person wird überall abgemeldet, und kann sich erst wieder anmelden, wenn das Konto aktiviert ist.
        """
    case deactivated = "deactivated | deaktiviert"
    case delete = "Delete the account | Konto löschen"
    case deleteAdvice = """
        The person is signed out, and the data are removed after the policy's delay. Until then you can restore \
        the account. | \
        Die Person wird abgemeldet, und die Daten werden nach der Frist der Richtlinie entfernt. Bis dahin \
        können Sie das Konto wiederherstellen.
        """
    case deletionDue = "The data are removed at {}. | Die Daten werden entfernt: {}."
    case device = "Device | Gerät"
    case differences = "Differences from the shipped policy | Unterschiede zur mitgelieferten Richtlinie"
    case done = "Done: {}. | Erledigt: {}."
    case email = "Email address | E-Mail-Adresse"
    case empty = "There are none. | Es gibt keine."
    case emptyAudit = """
        There are no records in this part of the period. | \
        In diesem Teil des Zeitraums gibt es keine Einträge.
        """
    case emptyFind = """
        No person found. Enter a whole phone number with its calling code, an email address, an id, or at least \
        three characters of the beginning. | \
        Niemand gefunden. Geben Sie eine ganze Nummer mit Ländervorwahl, eine E-Mail-Adresse, eine Kennung oder \
        mindestens drei Zeichen vom Anfang ein.
        """
    case emptyMoney = "No messages were sent at a price. | Es wurden keine Nachrichten mit Preis gesendet."
    case emptyTrace = """
        Nothing was sent to this recipient in the last 48 hours, and nothing was refused. | \
        An diesen Empfänger wurde in den letzten 48 Stunden nichts gesendet, und nichts abgelehnt.
        """
    case endAll = "End all sessions | Alle Sitzungen beenden"
    case endOne = "End | Beenden"
    case endReviewAccess = "End the review access | Prüfzugang beenden"
    case endReviewAccessAdvice = """
        The code is void at once, and the sessions of the account that it made end. | \
        Der Code gilt sofort nicht mehr, und die Sitzungen des Kontos, das damit entstand, enden.
        """
    case event = "Event | Ereignis"
    case export = "Export | Exportieren"
    case factorAdvice = """
        Enter the code of your authenticator app, or a recovery code. | \
        Geben Sie den Code Ihrer Authenticator-App oder einen Wiederherstellungscode ein.
        """
    case factorMissing = """
        Administrators need a second factor here. Turn on an authenticator app in your account first. | \
        Administratoren brauchen hier einen zweiten Faktor. Richten Sie zuerst in Ihrem Konto eine \
        Authenticator-App ein.
        """
    case find = "Find | Suchen"
    case findHint = "Number, address or id | Nummer, Adresse oder Kennung"
    case forms = """
        This form is from another session. Go back, reload the page, and try again. | \
        Dieses Formular gehört zu einer anderen Sitzung. Gehen Sie zurück, laden Sie die Seite neu, und \
        versuchen Sie es noch einmal.
        """
    case from = "From | Von"
    case giveReviewAccess = "Give review access | Prüfzugang geben"
    case goOn = "Go on | Weiter"
    case history = "What happened | Was geschah"
    case hours = "24 hours | 24 Stunden"
    case invalidQuery = """
        This is not a valid period, page or id. | \
        Das ist kein gültiger Zeitraum, keine gültige Seite oder Kennung.
        """
    case key = "Key | Schlüssel"
    case keys = "Signing keys | Signaturschlüssel"
    case lastAdministrator = """
        This is the last active administrator. Give somebody else the role first. | \
        Das ist der letzte aktive Administrator. Geben Sie zuerst jemand anderem die Rolle.
        """
    case lastBackup = "Last backup | Letzte Sicherung"
    case lastCopy = "Last copy | Letzte Kopie"
    case lastDay = "Last day, UTC | Letzter Tag, UTC"
    case lastSignIn = "Last sign-in | Letzte Anmeldung"
    case lastUse = "Last used | Zuletzt benutzt"
    case limited = "Refused by limits | Durch Limits abgelehnt"
    case merged = "This account is part of another one now: | Dieses Konto ist jetzt Teil eines anderen:"
    case missing = "Not available now | Zurzeit nicht verfügbar"
    case missingPart = """
        {}: this part is not available now. What else is on the page is complete. | \
        {}: Dieser Teil ist zurzeit nicht verfügbar. Was sonst auf der Seite steht, ist vollständig.
        """
    case moment = "Time | Zeit"
    case money = "Money | Kosten"
    case moneyAdvice = """
        The last 24 hours, by the prefix of the number. | \
        Die letzten 24 Stunden, nach Vorwahl der Nummer.
        """
    case more = "Older | Ältere"
    case name = "Name | Name"
    case needsHTTPS = "The console needs https. | Die Konsole braucht https."
    case network = "Network | Netz"
    case newNumber = "New phone number, with its calling code | Neue Telefonnummer, mit Ländervorwahl"
    case newUsers = "New users | Neue Benutzer"
    case notAdministrator = """
        Your account is not an administrator's, or no longer. You are signed out. | \
        Ihr Konto ist nicht oder nicht mehr das eines Administrators. Sie sind abgemeldet.
        """
    case notFound = "There is no such page or person. | Diese Seite oder Person gibt es nicht."
    case number = "Number | Nummer"
    case numberAdvice = """
        Why did the code not arrive? The last 48 hours of one phone number or email address. | \
        Warum kam der Code nicht an? Die letzten 48 Stunden einer Telefonnummer oder E-Mail-Adresse.
        """
    case observed = "over budget, but sent | über dem Budget, aber gesendet"
    case openUntil = "has review access until | hat Prüfzugang bis"
    case part = "Part | Teil"
    case person = "Person | Person"
    case phone = "Phone number | Telefonnummer"
    case policy = "Policy | Richtlinie"
    case problem = "This did not work | Das hat nicht geklappt"
    case prove = "Show that it is you | Zeigen Sie, dass Sie es sind"
    case proveAdvice = """
        Your sign-in is too long ago for a change. A code was sent to you. Enter it, and this is done: {}. | \
        Ihre Anmeldung ist für eine Änderung zu lange her. Ein Code wurde an Sie gesendet. Geben Sie ihn ein, \
        und dies wird getan: {}.
        """
    case reactivate = "Activate again | Wieder aktivieren"
    case reason = "Reason | Grund"
    case reasonHint = """
        For the audit, such as the number of a ticket; no personal data, only ASCII. | \
        Für das Protokoll, etwa die Nummer eines Tickets; keine persönlichen Daten, nur ASCII.
        """
    case refused = "The service refused it: {} | Der Dienst hat es abgelehnt: {}"
    case refusedMessages = "Over budget | Über dem Budget"
    case replaceAdvice = """
        The new number counts once its owner has signed in with it, after the policy's delay. The person is \
        told, and can object. | \
        Die neue Nummer gilt, sobald ihr Inhaber sich damit angemeldet hat, nach der Frist der Richtlinie. Die \
        Person wird benachrichtigt, und kann widersprechen.
        """
    case replaceNumber = "Replace a lost number | Verlorene Nummer ersetzen"
    case requestID = "Request | Anfrage"
    case result = "Result | Ergebnis"
    case reviewAccess = "Review access | Prüfzugang"
    case reviewAccessAdvice = """
        An app store's reviewers sign in with this number by one code, which is shown here and never sent. Choose \
        a number that belongs to no person. | \
        Die Prüfer eines App Stores melden sich mit dieser Nummer durch einen Code an, der hier gezeigt und nie \
        gesendet wird. Wählen Sie eine Nummer, die niemandem gehört.
        """
    case reviewAccounts = "Accounts under review | Konten in Prüfung"
    case reviewCodeAdvice = """
        Write the number and the code into the store's review notes now. | \
        Schreiben Sie Nummer und Code jetzt in die Prüfhinweise des Stores.
        """
    case reviewer = "an account of an app store's reviewers | ein Konto der Prüfer eines App Stores"
    case revocationLag = "Delay of revocations | Verzug von Widerrufen"
    case role = "Role | Rolle"
    case running = "Running | In Betrieb"
    case sendAgain = "Send another code | Noch einen Code senden"
    case sendCode = "Send a code | Code senden"
    case sent = "Sent | Gesendet"
    case sessionOver = """
        Your session has ended. Sign in again. | \
        Ihre Sitzung ist zu Ende. Melden Sie sich noch einmal an.
        """
    case sessions = "Sessions | Sitzungen"
    case shipped = "Shipped | Mitgeliefert"
    case signIn = "Sign in | Anmelden"
    case signInAdvice = "For administrators. | Für Administratoren."
    case signIns = "Sign-ins | Anmeldungen"
    case signInsRefused = "Refused sign-ins | Abgelehnte Anmeldungen"
    case signOut = "Sign out | Abmelden"
    case signedOut = "You are signed out. | Sie sind abgemeldet."
    case spent = "Spent | Ausgegeben"
    case state = "State | Zustand"
    case stopReplacing = "Keep the old number | Die alte Nummer behalten"
    case task = "Task | Aufgabe"
    case to = "To | Bis"
    case today = "Today | Heute"
    case tooMany = "Too many attempts. Wait a little. | Zu viele Versuche. Warten Sie ein wenig."
    case tracedCallback = "report of the provider | Bericht des Anbieters"
    case tracedGuessed = "code entered | Code eingegeben"
    case tracedUndecided = "the provider did not judge the code | der Anbieter hat den Code nicht beurteilt"
    case unlock = "Clear what is remembered | Gemerktes löschen"
    case unlockAdvice = """
        Lifts the lockout and the limits of this number, so that it can get a code at once. | \
        Hebt die Sperre und die Limits dieser Nummer auf, so dass sie sofort einen Code bekommen kann.
        """
    case usedCodes = "Codes used | Codes benutzt"
    case verificationCode = "Code | Code"
    case waiting = "A new phone number waits: {} | Eine neue Telefonnummer wartet: {}"
    case what = "What | Was"
    case wrongCode = "The code is not right, or no longer valid. | Der Code stimmt nicht, oder gilt nicht mehr."

    /// The text in both languages.
    var words: (english: String, german: String) {
        let both = rawValue.split(separator: " | ", maxSplits: 1).map(String.init)
        return (both.first ?? "", both.last ?? "")
    }
}
