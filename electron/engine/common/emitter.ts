/** A typed event. Calls each listener in order of subscription. `on` returns the function that unsubscribes. */
export class Emitter<T> {
  readonly #listeners = new Set<(data: T) => void>();

  on(listener: (data: T) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(data: T): void {
    for (const listener of [...this.#listeners]) listener(data);
  }
}
