// Stands in for zustand: a store outside of components.

export type SetState<State> = (change: Partial<State>) => void;
export type StateCreator<State> = (set: SetState<State>, get: () => State) => State;

export interface Store<State> {
  getState(): State;
  setState: SetState<State>;
}

export const create = <State>() => (creator: StateCreator<State>): Store<State> => {
  let state: State;
  const set: SetState<State> = (change) => {
    state = { ...state, ...change };
  };
  state = creator(set, () => state);
  return { getState: () => state, setState: set };
};
