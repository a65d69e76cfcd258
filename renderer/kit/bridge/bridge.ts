import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type {
  CallInput,
  CallName,
  CallOutput,
  EventData,
  EventName,
  MediadeskBridge,
} from '../../../shared/contract/contract.ts';

declare global {
  interface Window {
    readonly mediadesk: MediadeskBridge;
  }
}

/** The error that `call` throws. It contains the engine's error data, so that a screen can show message and next step. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly data: AppErrorData;

  constructor(data: AppErrorData) {
    super(data.message);
    this.data = data;
  }
}

/** Calls the engine or the shell. Resolves with the value; rejects with a `CallError`. */
export async function call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>> {
  const reply = await window.mediadesk.call(name, input);
  if (reply.ok) return reply.value;
  throw new CallError(reply.error);
}

/** Subscribes to an event. Returns the function that unsubscribes. */
export function on<N extends EventName>(name: N, listener: (data: EventData<N>) => void): () => void {
  return window.mediadesk.on(name, listener);
}

export function pathForFile(file: File): string {
  return window.mediadesk.pathForFile(file);
}

/** Returns whether this is a Mac, where ⌘ is the command key. */
export function isMac(): boolean {
  return window.mediadesk.platform === 'darwin';
}

/** Returns the modifier key as shortcuts show it: `⌘` or `Ctrl+`. */
export function modKey(): string {
  return isMac() ? '⌘' : 'Ctrl+';
}
