import type { Site } from '../../../shared/contract/sites.ts';
import type { StateLook } from '../../text/states.ts';

/** How the state of an account is shown. */
export function accountLook(site: Site): StateLook {
  if (site.state === 'needs-sign-in') return { word: 'Sign-in needed', icon: 'waiting', tone: 'waiting' };
  if (site.state === 'signed-out') return { word: 'Signed out', icon: 'cancelled', tone: 'neutral' };
  return site.reachable
    ? { word: 'Online', icon: 'complete', tone: 'good' }
    : { word: 'Not reachable', icon: 'waiting', tone: 'waiting' };
}
