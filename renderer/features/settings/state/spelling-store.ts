import { create } from 'zustand';
import type { CallOutput } from '../../../../shared/contract/contract.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { attempt } from '../../common/state/messages-store.ts';

type Spelling = CallOutput<'shell.spelling'>;

/** How text fields check spelling; null until it is loaded. */
export const useSpelling = create<{ spelling: Spelling | null }>(() => ({ spelling: null }));

export function loadSpelling(): Promise<void> {
  return attempt(async () => useSpelling.setState({ spelling: await call('shell.spelling', null) }));
}

/** Turns the checker on or off. A language that this computer does not have yet is downloaded. */
export function setSpelling(next: Pick<Spelling, 'isOn' | 'language'>): Promise<void> {
  return attempt(async () => useSpelling.setState({ spelling: await call('shell.setSpelling', next) }));
}
