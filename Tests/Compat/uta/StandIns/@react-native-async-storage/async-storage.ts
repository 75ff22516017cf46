// Stands in for AsyncStorage.

/** What lies on the phone. */
export const items = new Map<string, string>();

export default {
  async setItem(key: string, value: string): Promise<void> {
    items.set(key, value);
  },
  async getItem(key: string): Promise<string | null> {
    return items.get(key) ?? null;
  },
  async removeItem(key: string): Promise<void> {
    items.delete(key);
  },
};
