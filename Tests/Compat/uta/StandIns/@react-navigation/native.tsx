// Stands in for React Navigation: resets are kept. The real `useNavigation` throws outside of a container, where the
// printed App calls it.
import type { ReactNode } from 'react';

interface State {
  index: number;
  routes: { name: string }[];
}

/** Where the app was sent, first to last. */
export const resets: State[] = [];
const navigation = {
  reset(state: State): void {
    resets.push(state);
  },
};

export const useNavigation = () => navigation;
export const NavigationContainer = ({ children }: { children?: ReactNode }) => children;
