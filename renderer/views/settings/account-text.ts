import type { Site } from '../../../shared/contract/sites.ts';
import type { StateLook } from '../../text/states.ts';
import { texts } from './texts.ts';

/** How the state of an account is shown. */
export function accountLook(site: Site): StateLook {
  if (site.state === 'needs-sign-in')
    return { word: texts.accounts.states.signInRequired, icon: 'waiting', tone: 'waiting' };
  if (site.state === 'signed-out') return { word: texts.accounts.states.signedOut, icon: 'cancelled', tone: 'neutral' };
  return site.reachable
    ? { word: texts.accounts.states.online, icon: 'complete', tone: 'good' }
    : { word: texts.accounts.states.unreachable, icon: 'waiting', tone: 'waiting' };
}
