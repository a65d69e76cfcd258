import { useState } from 'react';
import type { Site } from '../../shared/contract/sites.ts';
import { showView, useApp } from '../features/common/state/app-store.ts';
import { attempt, notify } from '../features/common/state/messages-store.ts';
import { call } from '../kit/bridge/bridge.ts';
import { Button } from '../kit/components/button.tsx';
import { Notice } from './notice.tsx';
import { texts } from './texts.ts';

/** Asks about each library that was restored from a backup: until the answer, nothing is changed in it. */
export function RestoredNotices() {
  const sites = useApp((state) => state.sites);
  return sites.filter(isNoticeShown).map((site) => <RestoredNotice key={site.id} site={site} />);
}

/** Whether the notice of an account is shown. */
export function isNoticeShown({ restored, state }: Pick<Site, 'restored' | 'state'>): boolean {
  return restored && state === 'signed-in';
}

function RestoredNotice({ site }: { site: Site }) {
  const words = texts.restored;
  const [isBusy, setBusy] = useState(false);
  const goOn = async () => {
    setBusy(true);
    await attempt(async () => {
      notify(words.done(await call('sites.continueRestored', { siteId: site.id })));
    });
    setBusy(false);
  };
  return (
    <Notice title={words.title(site.displayName)} text={words.text}>
      <Button onPress={() => showView('edits')}>{words.edits}</Button>
      <Button variant="primary" isBusy={isBusy} onPress={() => void goOn()}>
        {words.goOn}
      </Button>
    </Notice>
  );
}
