import { create } from 'zustand';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import { toErrorData } from '../../text/errors.ts';

export interface Message {
  key: number;
  tone: 'good' | 'bad';
  text: string;
  nextStep: string | null;
  /** What can be done about it, with a button. */
  action: MessageAction | null;
  /** How long it is shown. */
  staysMs: number;
}

interface MessageAction {
  label: string;
  /** How to do it with the keyboard; read aloud. */
  hint: string;
  run: () => void;
}

const GOOD_STAYS_MS = 3500;
const BAD_STAYS_MS = 12_000;

interface MessagesState {
  /** Read aloud by screen readers, seen by nobody. */
  spoken: string;
  /** Shown for a while at the bottom of the window. */
  messages: Message[];
}

export const useMessages = create<MessagesState>(() => ({ spoken: '', messages: [] }));

let nextKey = 1;

export function say(sentence: string): void {
  useMessages.setState({ spoken: sentence });
}

/** A short word that something was done. */
export function tell(text: string): void {
  add({ tone: 'good', text, nextStep: null, action: null, staysMs: GOOD_STAYS_MS });
}

/** The same with a button. Answers the key of the message. */
export function tellWithAction(text: string, action: MessageAction, staysMs: number): number {
  return add({ tone: 'good', text, nextStep: null, action, staysMs });
}

/** Why something that was asked for is not done, and what to do instead. */
export function warn(text: string, nextStep: string | null): void {
  add({ tone: 'bad', text, nextStep, action: null, staysMs: BAD_STAYS_MS });
}

/** An error of a command that has no place of its own on the screen. */
export function report(thrown: unknown): void {
  const error: AppErrorData = toErrorData(thrown);
  add({ tone: 'bad', text: error.message, nextStep: error.nextStep, action: null, staysMs: BAD_STAYS_MS });
}

/** Messages without a button that are shown at a time; one with a button stays for all of its time. */
const MOST_PLAIN = 3;

function add(message: Omit<Message, 'key'>): number {
  const entry = { ...message, key: nextKey++ };
  useMessages.setState(({ messages }) => {
    const plain = messages.filter(({ action }) => action === null);
    const dropped = new Set(plain.slice(0, Math.max(0, plain.length - MOST_PLAIN + 1)));
    return { messages: [...messages.filter((each) => !dropped.has(each)), entry], spoken: spokenOf(entry) };
  });
  return entry.key;
}

function spokenOf({ text, nextStep, action }: Message): string {
  return [text, nextStep, action?.hint ?? null].filter((each) => each !== null).join(' ');
}

export function dismissMessage(key: number): void {
  useMessages.setState((state) => ({ messages: state.messages.filter((message) => message.key !== key) }));
}

/** Runs a command whose failure is reported in a message. */
export async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    report(thrown);
  }
}
