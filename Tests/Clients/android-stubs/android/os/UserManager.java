package android.os;

public class UserManager {
    public boolean unlocked = true;

    public boolean isUserUnlocked() { return unlocked; }
}
