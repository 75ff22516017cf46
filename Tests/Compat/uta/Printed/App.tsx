// App.tsx
import { useEffect } from 'react';
import { NavigationContainer } from '@react-navigation/native';
import { authEvents } from '@/core/domains/auth/events';
import { useAuthStatus } from '@/core/domains/auth/hooks';

export function App() {
  const { data: authStatus, isLoading } = useAuthStatus();
  const navigation = useNavigation();

  useEffect(() => {
    // Listen for auth events
    const unsubscribeExpired = authEvents.on('auth:sessionExpired', () => {
      navigation.reset({
        index: 0,
        routes: [{ name: 'Login' }],
      });
    });

    const unsubscribeLogout = authEvents.on('auth:logout', () => {
      navigation.reset({
        index: 0,
        routes: [{ name: 'Login' }],
      });
    });

    return () => {
      unsubscribeExpired();
      unsubscribeLogout();
    };
  }, [navigation]);

  if (isLoading) {
    return <SplashScreen />;
  }

  return (
    <NavigationContainer>
      {authStatus?.isAuthenticated ? (
        <AuthenticatedStack />
      ) : (
        <UnauthenticatedStack />
      )}
    </NavigationContainer>
  );
}
