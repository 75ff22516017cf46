// The EventEmitter that the printed events.ts imports.

type Payload<Value> = Value extends void ? [] : [Value];

export class EventEmitter<Events> {
  private readonly listeners = new Map<keyof Events, Set<(...payload: any[]) => void>>();

  /** Returns what ends the subscription. */
  on<Name extends keyof Events>(name: Name, listener: (...payload: Payload<Events[Name]>) => void): () => void {
    const those = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, those.add(listener as (...payload: any[]) => void));
    return () => {
      those.delete(listener as (...payload: any[]) => void);
    };
  }

  emit<Name extends keyof Events>(name: Name, ...payload: Payload<Events[Name]>): void {
    for (const listener of [...(this.listeners.get(name) ?? [])]) listener(...payload);
  }
}
