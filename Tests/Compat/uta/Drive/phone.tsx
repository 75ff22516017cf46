// A phone: what is on its screen, and hooks that are used outside of screens.
import { act, create, Instance, Renderer } from 'react-test-renderer';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Button, Text, TextInput } from 'react-native';
import { sleep } from './statements';

(globalThis as any).IS_REACT_ACT_ENVIRONMENT = true;

/** Runs `body` and whatever React does because of it. */
async function acting<Value>(body: () => Promise<Value>): Promise<Value> {
  const values: Value[] = [];
  await act(async () => {
    values.push(await body());
  });
  return values[0];
}

export class Screen {
  private constructor(private readonly renderer: Renderer) {}

  static async show(element: any, client = new QueryClient()): Promise<Screen> {
    const renderers: Renderer[] = [];
    await acting(async () => {
      renderers.push(create(<QueryClientProvider client={client}>{element}</QueryClientProvider>));
    });
    return new Screen(renderers[0]);
  }

  /** The texts on it, first to last. */
  texts(): string[] {
    return this.renderer.root.findAllByType(Text).map((text) => text.children.join(''));
  }

  shows(text: string): Promise<boolean> {
    return this.comesTo(() => this.texts().includes(text));
  }

  /** Whether this is so in the end. */
  async comesTo(isSo: () => boolean): Promise<boolean> {
    for (let rounds = 0; rounds < 250 && !isSo(); rounds += 1) await acting(() => sleep(20));
    return isSo();
  }

  fields(): any[] {
    return this.renderer.root.findAllByType(TextInput).map((field) => field.props);
  }

  async type(placeholder: string, text: string): Promise<void> {
    await acting(async () => this.field(placeholder).onChangeText(text));
  }

  async press(title: string): Promise<void> {
    const button = this.named(this.renderer.root.findAllByType(Button), 'title', title);
    await acting(async () => button.props.onPress());
  }

  async close(): Promise<void> {
    await acting(async () => this.renderer.unmount());
  }

  private field(placeholder: string): any {
    return this.named(this.renderer.root.findAllByType(TextInput), 'placeholder', placeholder).props;
  }

  private named(instances: Instance[], property: string, value: string): Instance {
    const found = instances.find((instance) => instance.props[property] === value);
    if (!found) throw new Error(`no ${value} on the screen`);
    return found;
  }
}

/** Runs `body` with a hook that some component uses. */
export async function withHook<Hook, Value>(
  use: () => Hook, client: QueryClient, body: (latest: () => Hook) => Promise<Value>,
): Promise<Value> {
  let latest: Hook;
  const Component = () => {
    latest = use();
    return null;
  };
  const screen = await Screen.show(<Component />, client);
  try {
    return await acting(() => body(() => latest));
  } finally {
    await screen.close();
  }
}

/** What a mutation's hook makes of these variables. */
export function mutated<Data, Variables>(
  use: () => { mutateAsync: (variables: Variables) => Promise<Data> }, variables: Variables, client = new QueryClient(),
): Promise<Data> {
  return withHook(use, client, (latest) => latest().mutateAsync(variables));
}

/** What a query's hook shows once it has an answer. */
export function queried<Data>(use: () => { data?: Data; error: unknown }, client: QueryClient): Promise<Data> {
  return withHook(use, client, async (latest) => {
    for (let rounds = 0; rounds < 250; rounds += 1) {
      const { data, error } = latest();
      if (error) throw error;
      if (data !== undefined) return data;
      await sleep(20);
    }
    throw new Error('a query is not answered');
  });
}
