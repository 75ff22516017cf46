// features/auth/screens/LoginScreen.tsx
import { useState } from 'react';
import { useLogin } from '@/core/domains/auth/hooks';
import { useNavigation } from '@react-navigation/native';

export function LoginScreen() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const login = useLogin();
  const navigation = useNavigation();

  const handleLogin = async () => {
    try {
      await login.mutateAsync({ email, password });
      // Navigation handled by auth event listener
    } catch (error) {
      Alert.alert('Login Failed', error.message);
    }
  };

  return (
    <View>
      <TextInput
        value={email}
        onChangeText={setEmail}
        placeholder="Email"
        autoCapitalize="none"
        keyboardType="email-address"
      />
      <TextInput
        value={password}
        onChangeText={setPassword}
        placeholder="Password"
        secureTextEntry
      />
      <Button
        title="Login"
        onPress={handleLogin}
        loading={login.isLoading}
      />
    </View>
  );
}
