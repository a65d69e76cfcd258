import { LogIn, LogOut, Plus, UserRoundX } from 'lucide-react';
import type { Site } from '../../../shared/contract/sites.ts';
import { signOut } from '../../commands/commands.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/status/empty-state.tsx';
import { StateChip } from '../../components/status/state-chip.tsx';
import { offerSignIn, openPanel, openSites, showAccount, useApp } from '../../stores/app/app-store.ts';
import { accountLook } from './account-text.ts';
import { SettingGroup, SettingRow } from './setting.tsx';
import styles from './settings-view.module.css';

/** The accounts that are signed in. */
export function AccountsSection() {
  const sites = useApp((state) => state.sites);
  const open = openSites(sites);
  return (
    <SettingGroup
      title="Signed in"
      text="Each account has its own library, tree and permissions. All of them share one queue, and each upload goes to the account that it was added for."
    >
      {open.length === 0 ? (
        <EmptyState icon={UserRoundX} title="Nobody is signed in" text="Sign in to see a library and to upload." />
      ) : (
        open.map((site) => <Account key={site.id} site={site} />)
      )}
      <SettingRow label="Another account" hint="Of this library or of another one.">
        <Button icon={<Plus size={14} aria-hidden />} onPress={() => openPanel('another-account')}>
          Sign in to another account…
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
          {site.accountName ?? 'Signed in'}
          {isCurrent ? <span className={styles.badge}>shown now</span> : null}
        </>
      }
      hint={`${site.displayName} · client id ${site.clientId}`}
    >
      <StateChip look={look} state={site.state} />
      {isCurrent ? null : <Button onPress={() => void showAccount(site.id)}>Switch to it</Button>}
      {site.state === 'needs-sign-in' ? (
        <Button variant="primary" icon={<LogIn size={14} aria-hidden />} onPress={() => offerSignIn(site.id)}>
          Sign in again…
        </Button>
      ) : null}
      <Button
        icon={<LogOut size={14} aria-hidden />}
        aria-label={`Sign out ${site.accountName ?? ''} of ${site.displayName}`}
        onPress={() => void signOut(site.id)}
      >
        Sign out
      </Button>
    </SettingRow>
  );
}
