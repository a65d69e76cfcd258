import { create } from 'zustand';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { stepText, toErrorData } from '../../../kit/text/errors.ts';

export interface ShownMessage {
  key: number;
  tone: 'good' | 'bad';
  text: string;
  nextStep: string | null;
  /** A button of the message. */
  action: MessageAction | null;
  /** How long it is shown. */
  shownMs: number;
}

interface MessageAction {
  label: string;
  /** The keyboard shortcut as a sentence, for screen readers. */
  hint: string;
  run: () => void;
}

const GOOD_SHOWN_MS = 3500;
const BAD_SHOWN_MS = 12_000;

interface MessagesState {
  /** The last sentence for screen readers, a new object for each announcement. The live region limits their frequency. */
  announced: { sentence: string } | null;
  /** Shown for a while at the bottom of the window. */
  messages: ShownMessage[];
}

export const useMessages = create<MessagesState>(() => ({ announced: null, messages: [] }));

let nextKey = 1;

/** Announces a sentence to screen readers. */
export function announce(sentence: string): void {
  useMessages.setState({ announced: { sentence } });
}

/** Shows a short confirmation. Returns the key of the message. */
export function notify(text: string): number {
  return add({ tone: 'good', text, nextStep: null, action: null, shownMs: GOOD_SHOWN_MS });
}

/** Shows a confirmation with a button. Returns the key of the message. */
export function notifyWithAction(text: string, action: MessageAction, shownMs: number): number {
  return add({ tone: 'good', text, nextStep: null, action, shownMs });
}

/** Shows that something needs the user, with a button. Returns the key of the message. */
export function warnWithAction(text: string, action: MessageAction, shownMs: number): number {
  return add({ tone: 'bad', text, nextStep: null, action, shownMs });
}

/** Shows why a command was not run, with the next step. */
export function warn(text: string, nextStep: string | null): void {
  add({ tone: 'bad', text, nextStep, action: null, shownMs: BAD_SHOWN_MS });
}

/** Shows an error as a message, for errors that have no other place on the screen. */
export function showError(thrown: unknown): void {
  const error: AppErrorData = toErrorData(thrown);
  add({ tone: 'bad', text: error.message, nextStep: stepText(error), action: null, shownMs: BAD_SHOWN_MS });
}

/** Longer than any command. */
const LONG_SHOWN_MS = 24 * 3_600_000;

/** Shows what a command does while it runs, once it has taken longer than `afterMs`. Rejects when the command does. */
export async function notifyWhile<T>(text: string, afterMs: number, work: Promise<T>): Promise<T> {
  let key: number | null = null;
  const timer = setTimeout(() => {
    key = add({ tone: 'good', text, nextStep: null, action: null, shownMs: LONG_SHOWN_MS });
  }, afterMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    if (key !== null) dismissMessage(key);
  }
}

/** The most messages without a button at a time. A message with a button is never removed early. */
const MAX_PLAIN = 3;

function add(message: Omit<ShownMessage, 'key'>): number {
  const entry = { ...message, key: nextKey++ };
  useMessages.setState(({ messages }) => {
    const plain = messages.filter(({ action }) => action === null);
    // A repeated sentence is shown once, for its full time.
    const repeated = plain.filter(({ tone, text }) => tone === entry.tone && text === entry.text);
    const others = plain.filter((each) => !repeated.includes(each));
    const dropped = new Set([...repeated, ...others.slice(0, Math.max(0, others.length - MAX_PLAIN + 1))]);
    return { messages: [...messages.filter((each) => !dropped.has(each)), entry] };
  });
  announce(spokenOf(entry));
  // Here and not in the component: a message that is not shown, because there is no room for it, has to end as well.
  setTimeout(() => dismissMessage(entry.key), entry.shownMs);
  return entry.key;
}

function spokenOf({ text, nextStep, action }: ShownMessage): string {
  return [text, nextStep, action?.hint ?? null].filter((each) => each !== null).join(' ');
}

export function dismissMessage(key: number): void {
  useMessages.setState((state) => ({ messages: state.messages.filter((message) => message.key !== key) }));
}

/** Runs a command; shows its error in a message. Never rejects. */
export async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    showError(thrown);
  }
}
