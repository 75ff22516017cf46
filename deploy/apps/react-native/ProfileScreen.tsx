import { useEffect, useState } from 'react';
import { Button, Text, TextInput, View } from 'react-native';
import { useAuth, useUser } from '@latchkey/auth/react';

/** The user's name, which they can change, and the way out. */
export function ProfileScreen({ isOffline }: { isOffline: boolean }) {
  const auth = useAuth();
  const user = useUser();
  const [name, setName] = useState('');
  const [message, setMessage] = useState('');

  // The phone stores no profile, so it is read after each start.
  useEffect(() => {
    if (!user) auth.reloadUser().catch(() => setMessage('The profile cannot be read at present.'));
  }, [auth, user]);

  const save = () => auth.update({ name }).then(() => setMessage('Saved'), () => setMessage('The name was not saved.'));

  return (
    <View>
      {isOffline && <Text>Offline</Text>}
      <Text>{user ? user.name || user.phoneNumber : ''}</Text>
      <TextInput value={name} onChangeText={setName} placeholder="Name" />
      <Button title="Save" onPress={save} />
      <Button title="Sign out" onPress={() => auth.signOut()} />
      <Text>{message}</Text>
    </View>
  );
}
