import { appError } from '../../../shared/contract/app-error.ts';
import type {
  CallInput,
  CallName,
  CallOutput,
  EventData,
  EventName,
  MediadeskBridge,
  Reply,
} from '../../../shared/contract/contract.ts';
import type { ErrorCode } from '../../../shared/contract/errors/error-catalog.ts';

/** A call of a screen that is in flight. */
export interface HeldCall<N extends CallName> {
  input: CallInput<N>;
  /** Answers the call. Resolves when the caller has handled the answer. */
  answer(value: CallOutput<N>): Promise<void>;
  refuse(code: ErrorCode, details?: Record<string, unknown>): Promise<void>;
}

interface OpenCall {
  name: CallName;
  input: unknown;
  reply: (reply: Reply<never>) => void;
}

interface Listener {
  name: EventName;
  listener: (data: never) => void;
}

/** A bridge whose calls stay in flight until a test answers them, so that answers can be late or in another order. */
export class HeldBridge {
  #open: OpenCall[] = [];
  readonly #listeners = new Set<Listener>();

  /** Creates a window with this bridge for the stores of this process. Calls of an earlier bridge are never answered. */
  constructor() {
    const mediadesk: MediadeskBridge = {
      call: (name, input) => new Promise((reply) => this.#open.push({ name, input, reply })),
      on: (name, listener) => {
        const entry: Listener = { name, listener: listener as Listener['listener'] };
        this.#listeners.add(entry);
        return () => this.#listeners.delete(entry);
      },
      pathForFile: () => '',
      platform: 'linux',
    };
    Object.assign(globalThis, { window: { mediadesk, setTimeout, clearTimeout }, localStorage: new MemoryStorage() });
  }

  /** The calls in flight, the oldest first. */
  get waiting(): CallName[] {
    return this.#open.map(({ name }) => name);
  }

  /** Sends an event of the engine to its listeners. */
  send<E extends EventName>(name: E, data: EventData<E>): void {
    for (const entry of [...this.#listeners]) if (entry.name === name) entry.listener(data as never);
  }

  /** Takes the oldest call of that name out of those in flight. Throws when there is none. */
  take<N extends CallName>(name: N): HeldCall<N> {
    return this.takeOf(name, () => true);
  }

  /** The same among the calls whose input fits. */
  takeOf<N extends CallName>(name: N, fits: (input: CallInput<N>) => boolean): HeldCall<N> {
    const index = this.#open.findIndex((open) => open.name === name && fits(open.input as CallInput<N>));
    const [open] = index < 0 ? [] : this.#open.splice(index, 1);
    if (open === undefined)
      throw new Error(`No call of ${name} is in flight, only: ${this.waiting.join(', ') || 'none'}.`);
    const give = async (reply: Reply<CallOutput<N>>) => {
      open.reply(reply as Reply<never>);
      await new Promise((resolve) => setImmediate(resolve));
    };
    return {
      input: open.input as CallInput<N>,
      answer: (value) => give({ ok: true, value }),
      refuse: (code, details) =>
        give({ ok: false, error: appError(code, details === undefined ? {} : { details }).toData() }),
    };
  }
}

/** The storage of the page, in memory. */
class MemoryStorage {
  readonly #kept = new Map<string, string>();
  getItem(key: string): string | null {
    return this.#kept.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.#kept.set(key, value);
  }
  removeItem(key: string): void {
    this.#kept.delete(key);
  }
}
