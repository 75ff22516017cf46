// Stands in for React Query 4: a cache by key, whose queries are asked again when they are stale.
import { createContext, useContext, useEffect, useReducer, useState } from 'react';
import type { ReactNode } from 'react';

interface Entry {
  data: unknown;
  updatedAt: number;
}

export class QueryClient {
  private entries = new Map<string, Entry>();
  private readonly listeners = new Set<() => void>();

  entry(key: unknown[]): Entry | undefined {
    return this.entries.get(JSON.stringify(key));
  }

  getQueryData(key: unknown[]): unknown {
    return this.entry(key)?.data;
  }

  setQueryData(key: unknown[], data: unknown): void {
    this.entries.set(JSON.stringify(key), { data, updatedAt: Date.now() });
    this.listeners.forEach((listener) => listener());
  }

  clear(): void {
    this.entries.clear();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

const clients = createContext<QueryClient>(new QueryClient());

export const QueryClientProvider = ({ client, children }: { client: QueryClient; children?: ReactNode }) => (
  <clients.Provider value={client}>{children}</clients.Provider>
);

export const useQueryClient = () => useContext(clients);

interface QueryOptions<Data> {
  queryKey: unknown[];
  queryFn: () => Promise<Data>;
  staleTime?: number;
}

export function useQuery<Data>({ queryKey, queryFn, staleTime = 0 }: QueryOptions<Data>) {
  const client = useQueryClient();
  const [error, setError] = useState<unknown>(null);
  const [, render] = useReducer((count: number, _: void) => count + 1, 0);
  const entry = client.entry(queryKey);
  useEffect(() => {
    const unsubscribe = client.subscribe(() => render());
    const isFresh = entry !== undefined && Date.now() - entry.updatedAt < staleTime;
    if (!isFresh) queryFn().then((data) => client.setQueryData(queryKey, data), setError);
    return unsubscribe;
  }, [client]);
  return { data: entry?.data as Data | undefined, error, isLoading: entry === undefined && error === null };
}

interface MutationOptions<Data, Variables> {
  mutationFn: (variables: Variables) => Promise<Data>;
  onSuccess?: (data: Data) => unknown;
  onError?: (error: unknown) => unknown;
}

export function useMutation<Data, Variables = void>(options: MutationOptions<Data, Variables>) {
  const [isLoading, setLoading] = useState(false);
  const mutateAsync = async (variables: Variables): Promise<Data> => {
    setLoading(true);
    try {
      const data = await options.mutationFn(variables);
      await options.onSuccess?.(data);
      return data;
    } catch (error) {
      await options.onError?.(error);
      throw error;
    } finally {
      setLoading(false);
    }
  };
  return { mutateAsync, isLoading };
}
