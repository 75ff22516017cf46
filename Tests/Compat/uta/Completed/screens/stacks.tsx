// What the printed App and ProfileScreen show and the document does not.
import { Text } from 'react-native';
import { LoginScreen } from '@/features/auth/screens/LoginScreen';
import { ProfileScreen } from '@/features/profile/screens/ProfileScreen';

export const SplashScreen = () => <Text>splash</Text>;
export const LoadingSpinner = () => <Text>loading</Text>;
export const AuthenticatedStack = () => <ProfileScreen />;
export const UnauthenticatedStack = () => <LoginScreen />;
