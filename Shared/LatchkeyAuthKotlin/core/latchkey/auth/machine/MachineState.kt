package latchkey.auth.machine

import kotlin.time.Duration
import latchkey.auth.AuthError
import latchkey.auth.SignOutReason
import latchkey.auth.StoreTrouble
import latchkey.auth.StoreVersion
import latchkey.auth.record.KeptSignOut
import latchkey.auth.record.SessionRecord

/** Everything that the machine knows. */
internal data class MachineState(
    val phase: Phase = Phase.Starting,
    /** Callers that wait for an access token. */
    val waiters: List<Waiter> = emptyList(),
    val isInBackground: Boolean = false,
    /** Sign-outs that the server has not confirmed. Whatever is written has them. */
    val kept: List<KeptSignOut> = emptyList(),
)

internal sealed interface Phase {
    /** The store has not answered yet. */
    data object Starting : Phase

    /** The store cannot be read, so nothing is known. */
    data class Unavailable(val trouble: StoreTrouble) : Phase

    /** No session. The version is that of the stored sign-out; (0, 0) if there is none. */
    data class SignedOut(val version: StoreVersion, val reason: SignOutReason?, val isStored: Boolean) : Phase

    /** A session in memory. */
    data class SignedIn(
        val record: SessionRecord,
        /** The end of the access token's life, on the device's clock. */
        val deadline: Duration,
        val saved: Saved,
        val mode: Mode = Mode.Idle,
        /** The time of the record's last renewal by any process, or `null` if that is unknown or long ago. */
        val lastRotation: Duration? = null,
        /** Whether access token and profile have left the memory, since the app is in the background. */
        val isResting: Boolean = false,
        /** Whether the last renewal came less than the spacing after the one before it, or may have. */
        val isHurried: Boolean = false,
        /** The generation up to which access tokens are older than what the server knows of the user; 0 if there is nothing. */
        val outdated: Long = 0,
    ) : Phase {
        /** The sign-in that is being stored, if the session is one. */
        val first: Saved.First? get() = saved as? Saved.First

        /** The number of renewals that have failed one after the other. */
        val tries: Int get() = mode.tries

        /** Whether the record is being written. */
        val isSaving: Boolean get() = saved == Saved.Saving || first != null

        /** Whether a renewal is in progress. */
        val isRenewing: Boolean get() = mode != Mode.Idle && mode !is Mode.Waiting

        /** Whether the access token is older than what the server knows of the user, so that a newer one is wanted. */
        val isOutdated: Boolean get() = record.version.generation <= outdated

        /** The access token, if it lives longer than this and needs no renewal for another reason. */
        fun freshToken(longerThan: Duration, now: Duration): String? = if (isOutdated) null else token(longerThan, now)

        /** Whether the last renewal was less than the spacing ago. */
        fun isSoon(now: Duration): Boolean = lastRotation.let { it != null && now - it < MachineRules.SPACING }

        /** The access token, if it lives longer than this. */
        fun token(longerThan: Duration, now: Duration): String? =
            if (deadline - now > longerThan) record.accessToken else null
    }
}

/** A caller that waits for an access token. */
internal data class Waiter(
    val caller: Int,
    /** The lifetime that the token must have left. */
    val minimum: Duration = Duration.ZERO,
    /** The token that an API has refused: any other one will do. */
    val refused: String? = null,
) {
    override fun toString(): String = "Waiter($caller)"
}

/** Whether the record is in the store. Nothing is renewed before it is. */
internal sealed interface Saved {
    data object No : Saved

    data object Saving : Saved

    data object Yes : Saved

    /**
     * The record of a sign-in is being written, and its callers wait for that. `replaces` are the refresh tokens of the
     * sessions that it takes the place of.
     */
    data class First(val callers: List<Int>, val replaces: List<String>) : Saved {
        override fun toString(): String = "First($callers)"
    }
}

/** The progress of a renewal. */
internal sealed interface Mode {
    /** The number of renewals that have failed one after the other. */
    val tries: Int

    data object Idle : Mode {
        override val tries: Int get() = 0
    }

    /** The store is being read: another process may have been faster. */
    data class Looking(override val tries: Int) : Mode

    /** The request is on its way. */
    data class Flying(override val tries: Int) : Mode

    /** The server has refused the refresh token, and the store is being read before that is believed. */
    data class Doubting(val verdict: Verdict, override val tries: Int, val jitter: Double) : Mode

    /** The last renewal failed. */
    data class Waiting(val until: Duration, val fault: AuthError, override val tries: Int) : Mode
}

/** The server's refusal of a refresh token. */
internal sealed interface Verdict {
    data class Ended(val reason: SignOutReason) : Verdict

    /** A late copy of a request that another process has sent: the successor is already in use. */
    data object Superseded : Verdict
}
