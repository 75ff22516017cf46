// As voltyks' document prints it under "Usage Example (Android)"; the class around it and the imports are ours.
import androidx.lifecycle.MutableLiveData
import androidx.lifecycle.ViewModel
import kotlinx.coroutines.launch

/** A screen of the app. */
class ChargersViewModel(
    private val authApi: AuthApi, private val api: ChargersApi, private val securePrefs: SecurePrefs
) : ViewModel() {
    private val _chargersState = MutableLiveData<ChargersResponse>()

    /** What is shown. */
    val chargers: ChargersResponse? get() = _chargersState.value

    // Login - save initial tokens
    fun login(email: String, password: String) {
        viewModelScope.launch {
            val response = authApi.login(LoginRequest(email, password))
            if (response.status) {
                securePrefs.saveTokens(TokenData(
                    accessToken = response.data.token,
                    refreshToken = response.data.refreshToken,
                    accessTokenExpiresAt = "",
                    refreshTokenExpiresAt = ""
                ))
            }
        }
    }

    // Make API call - auto refresh handled by Authenticator
    fun getChargers() {
        viewModelScope.launch {
            try {
                val chargers = api.getChargers()
                _chargersState.value = chargers
            } catch (e: Exception) {
                // Handle error
            }
        }
    }
}
