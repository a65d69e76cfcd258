import { LogIn, LogOut, Plus, UserRoundX } from 'lucide-react';
import type { Site } from '../../../shared/contract/sites.ts';
import { Button } from '../../kit/components/button.tsx';
import { EmptyState } from '../../kit/components/status/empty-state.tsx';
import { StateChip } from '../../kit/components/status/state-chip.tsx';
import { accountLook } from '../../kit/text/states.ts';
import { signOut } from '../common/commands/commands.ts';
import { offerSignIn, openPanel, openSites, showAccount, useApp } from '../common/state/app-store.ts';
import { SettingGroup, SettingRow } from './setting.tsx';
import styles from './settings-view.module.css';
import { texts } from './texts.ts';

/** The signed-in accounts. */
export function AccountsSection() {
  const sites = useApp((state) => state.sites);
  const open = openSites(sites);
  return (
    <SettingGroup title={texts.accounts.title} text={texts.accounts.text}>
      {open.length === 0 ? (
        <EmptyState icon={UserRoundX} title={texts.accounts.none} text={texts.accounts.noneHint} />
      ) : (
        open.map((site) => <Account key={site.id} site={site} />)
      )}
      <SettingRow label={texts.accounts.another} hint={texts.accounts.anotherHint}>
        <Button icon={<Plus size={14} aria-hidden />} onPress={() => openPanel('another-account')}>
          {texts.accounts.signInAnother}
        </Button>
      </SettingRow>
    </SettingGroup>
  );
}

function Account({ site }: { site: Site }) {
  const isCurrent = useApp((state) => state.siteId === site.id);
  const look = accountLook(site);
  return (
    <SettingRow
      label={
        <>
          {site.accountName ?? texts.accounts.signedIn}
          {isCurrent ? <span className={styles.badge}>{texts.accounts.current}</span> : null}
        </>
      }
      hint={texts.accounts.facts(site.displayName, site.clientId)}
    >
      <StateChip look={look} state={site.state} />
      {isCurrent ? null : <Button onPress={() => void showAccount(site.id)}>{texts.accounts.switchTo}</Button>}
      {site.state === 'needs-sign-in' ? (
        <Button variant="primary" icon={<LogIn size={14} aria-hidden />} onPress={() => offerSignIn(site.id)}>
          {texts.accounts.signInAgain}
        </Button>
      ) : null}
      <Button
        icon={<LogOut size={14} aria-hidden />}
        aria-label={texts.accounts.signOutOf(site.accountName, site.displayName)}
        onPress={() => void signOut(site.id)}
      >
        {texts.accounts.signOut}
      </Button>
    </SettingRow>
  );
}
