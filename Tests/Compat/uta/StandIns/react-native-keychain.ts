// Stands in for react-native-keychain: one entry for each server, as Apple's Keychain has it for the printed calls.
interface Credentials {
  username: string;
  password: string;
}

/** By server. */
export const entries = new Map<string, Credentials>();

export async function setInternetCredentials(server: string, username: string, password: string): Promise<void> {
  entries.set(server, { username, password });
}

export async function getInternetCredentials(server: string): Promise<Credentials | false> {
  return entries.get(server) ?? false;
}

export async function resetInternetCredentials(server: string): Promise<void> {
  entries.delete(server);
}
