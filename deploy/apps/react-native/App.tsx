import { AuthProvider, useAuthState } from '@latchkey/auth/react';
import { ActivityIndicator } from 'react-native';
import { ProfileScreen } from './ProfileScreen';
import { SignInScreen } from './SignInScreen';
import { auth } from './session';

export default function App() {
  return (
    <AuthProvider auth={auth}>
      <Root />
    </AuthProvider>
  );
}

function Root() {
  const state = useAuthState();
  switch (state.at) {
    // Nothing is known yet, such as before the first unlock of the phone.
    case 'starting':
    case 'unavailable':
      return <ActivityIndicator />;
    case 'signedOut':
      return <SignInScreen reason={state.reason} />;
    case 'signedIn':
      return <ProfileScreen isOffline={state.freshness === 'overdue'} />;
  }
}
