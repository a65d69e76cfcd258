import { create } from 'zustand';
import type { Unsent } from '../../../../shared/contract/sites.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { loadSites } from '../../common/state/app-store.ts';
import { forgetFormDraftsOf, formDraftsCount } from '../../common/state/form-drafts.ts';
import { attempt } from '../../common/state/messages-store.ts';
import { forgetPodcastEditsOf, podcastEditsCount } from './podcast/stored-podcast-edits.ts';
import { forgetSearches } from './query/recent-searches.ts';
import { forgetEditsOf, unsavedCount } from './unsaved-edits.ts';

/** The data that a sign-out affects: edits and uploads stay on this computer, unsaved changes in forms are deleted. */
export interface SignOutQuestion extends Unsent {
  siteId: string;
  /** The number of items, podcasts and forms with changes that the user typed and never saved. */
  unsaved: number;
}

/** The open question before a sign-out; null: no question is open. */
export const useSignOut = create<{ question: SignOutQuestion | null }>(() => ({ question: null }));

/** Signs an account out. Asks first if changes or uploads of the account are unsaved or unsent. */
export function signOut(siteId: string): Promise<void> {
  return attempt(async () => {
    const unsent = await call('sites.unsent', { siteId });
    const question = {
      ...unsent,
      siteId,
      unsaved: unsavedCount(siteId) + podcastEditsCount(siteId) + formDraftsCount(siteId),
    };
    if (isAsked(question)) useSignOut.setState({ question });
    else await signOutNow(siteId);
  });
}

/** Signs the account of the question out, after the user confirmed it. */
export function confirmSignOut(): Promise<void> {
  const { question } = useSignOut.getState();
  staySignedIn();
  return question === null ? Promise.resolve() : attempt(() => signOutNow(question.siteId));
}

export function staySignedIn(): void {
  useSignOut.setState({ question: null });
}

function isAsked({ edits, uploads, unsaved }: SignOutQuestion): boolean {
  return [...Object.values(edits), ...Object.values(uploads), unsaved].some((count) => count > 0);
}

async function signOutNow(siteId: string): Promise<void> {
  await call('sites.signOut', { siteId });
  forgetEditsOf(siteId);
  forgetPodcastEditsOf(siteId);
  forgetFormDraftsOf(siteId);
  forgetSearches(siteId);
  await loadSites();
}
