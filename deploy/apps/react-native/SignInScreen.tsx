import { useState } from 'react';
import { Button, Text, TextInput, View } from 'react-native';
import { useAuth } from '@latchkey/auth/react';
import { AuthError } from '@latchkey/auth/react-native';
import type { PendingCode, SignOutReason } from '@latchkey/auth/react-native';

/** The phone number, then the code. */
export function SignInScreen({ reason }: { reason?: SignOutReason }) {
  const auth = useAuth();
  const [phone, setPhone] = useState('');
  const [code, setCode] = useState('');
  const [pending, setPending] = useState<PendingCode | null>(null);
  const [message, setMessage] = useState(reason && reason !== 'asked' ? 'Your session has ended.' : '');

  const attempt = async (body: () => Promise<void>) => {
    setMessage('');
    try {
      await body();
    } catch (error) {
      setMessage(wordsFor(error));
    }
  };
  const send = () => attempt(async () => setPending(await auth.requestCode({ phone })));
  const signIn = (sent: PendingCode) => attempt(async () => void await auth.signIn(sent, code));

  return (
    <View>
      <TextInput value={phone} onChangeText={setPhone} placeholder="Phone number" autoComplete="tel" keyboardType="phone-pad" />
      <Button title={pending ? 'Send again' : 'Send the code'} onPress={send} />
      {pending && (
        <View>
          <TextInput
            value={code} onChangeText={setCode} placeholder="Code" keyboardType="number-pad"
            autoComplete="one-time-code" textContentType="oneTimeCode"
          />
          <Button title="Sign in" onPress={() => signIn(pending)} />
        </View>
      )}
      <Text>{message}</Text>
    </View>
  );
}

function wordsFor(error: unknown): string {
  if (!(error instanceof AuthError)) throw error;
  switch (error.kind) {
    case 'codeRefused': return 'This code is wrong or too old.';
    case 'invalid': return 'Please check the phone number.';
    case 'rateLimited': return `Please wait ${error.retryAfter} seconds.`;
    default: return error.isWorthRetrying ? 'Please try again in a moment.' : `That did not work (${error.kind}).`;
  }
}
