// As much of the types of Debian's node-react as the code here uses; it brings none.
declare module 'react' {
  export type ReactNode = any;
  export interface Context<Value> {
    Provider: FunctionComponent<{ value: Value; children?: ReactNode }>;
  }
  export type FunctionComponent<Props = any> = (props: Props) => any;
  export function createContext<Value>(value: Value): Context<Value>;
  export function useContext<Value>(context: Context<Value>): Value;
  export function useEffect(effect: () => void | (() => void), dependencies?: readonly unknown[]): void;
  export function useReducer<State, Action>(
    reducer: (state: State, action: Action) => State, initial: State): [State, (action: Action) => void];
  export function useState<State>(initial: State | (() => State)): [State, (state: State) => void];
}

declare module 'react/jsx-runtime' {
  export const jsx: any;
  export const jsxs: any;
  export namespace JSX {
    interface IntrinsicElements {
      [name: string]: any;
    }
    interface ElementChildrenAttribute {
      children: {};
    }
  }
}

declare module 'react-test-renderer' {
  export interface Instance {
    props: any;
    children: (Instance | string)[];
    findAllByType(type: any): Instance[];
  }
  export interface Renderer {
    root: Instance;
    unmount(): void;
  }
  export function create(element: any): Renderer;
  export function act(body: () => Promise<void>): Promise<void>;
}
