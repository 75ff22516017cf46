// Stands in for zustand's persist: without the option `storage`, as printed, it writes to localStorage.
import type { StateCreator } from 'zustand';

/** What localStorage holds; React Native has none, so an app has to bring one. */
export const localStorage = new Map<string, string>();

export const persist = <State>(
  creator: StateCreator<State>, options: { name: string; partialize: (state: State) => Partial<State> },
): StateCreator<State> => (set, get) => {
  const kept = localStorage.get(options.name);
  const state = creator((change) => {
    set(change);
    localStorage.set(options.name, JSON.stringify({ state: options.partialize(get()), version: 0 }));
  }, get);
  return kept ? { ...state, ...JSON.parse(kept).state } : state;
};
