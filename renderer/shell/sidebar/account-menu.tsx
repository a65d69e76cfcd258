import { ChevronsUpDown, Info, Keyboard, LogIn, LogOut, Plus, RefreshCw, ShieldCheck } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import type { Theme } from '../../../shared/contract/contract.ts';
import {
  currentSite,
  isOnline,
  offerSignIn,
  openPanel,
  openSites,
  setTheme,
  showAccount,
  showView,
  useApp,
} from '../../features/common/state/app-store.ts';
import { classes } from '../../kit/components/button.tsx';
import { ActionMenu, type MenuGroup } from '../../kit/components/overlay/menu.tsx';
import { accountLook } from '../../kit/text/states.ts';
import { refreshAll, signOutHere } from '../commands/window-commands.ts';
import { texts } from '../texts.ts';
import styles from './sidebar.module.css';

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

/** The account menu: accounts, theme, refresh, sign-out. `iconOnly` shows the initials only. */
export function AccountMenu({ iconOnly = false }: { iconOnly?: boolean }) {
  const site = useApp(currentSite);
  const sites = useApp((state) => state.sites);
  const theme = useApp((state) => state.theme);
  if (site === null) return null;
  const open = openSites(sites);
  const groups: MenuGroup[] = [
    ...(open.length > 1
      ? [
          {
            title: texts.account.accounts,
            entries: open.map((other) => ({
              id: other.id,
              label: other.accountName ?? texts.account.signedIn,
              detail: other.displayName,
              isChecked: other.id === site.id,
              onAction: () => void showAccount(other.id),
            })),
          },
        ]
      : []),
    {
      entries: THEMES.map((choice) => ({
        id: choice,
        label: texts.account.themes[choice],
        isChecked: choice === theme,
        onAction: () => void setTheme(choice),
      })),
    },
    {
      entries: [
        {
          id: 'refresh',
          label: texts.account.refresh,
          icon: <RefreshCw size={14} aria-hidden />,
          onAction: () => void refreshAll(),
        },
        {
          id: 'administration',
          label: texts.account.administration,
          icon: <ShieldCheck size={14} aria-hidden />,
          onAction: () => showView('admin'),
        },
        {
          id: 'shortcuts',
          label: texts.account.shortcuts,
          icon: <Keyboard size={14} aria-hidden />,
          onAction: () => openPanel('shortcuts'),
        },
        {
          id: 'about',
          label: texts.account.about,
          icon: <Info size={14} aria-hidden />,
          onAction: () => openPanel('about'),
        },
      ],
    },
    {
      entries: [
        ...(site.state === 'needs-sign-in'
          ? [
              {
                id: 'sign-in',
                label: texts.account.signInAgain,
                icon: <LogIn size={14} aria-hidden />,
                onAction: () => offerSignIn(site.id),
              },
            ]
          : []),
        {
          id: 'add-site',
          label: texts.account.anotherAccount,
          icon: <Plus size={14} aria-hidden />,
          onAction: () => openPanel('another-account'),
        },
        {
          id: 'sign-out',
          label: texts.account.signOut,
          icon: <LogOut size={14} aria-hidden />,
          onAction: () => void signOutHere(),
        },
      ],
    },
  ];
  const name = site.accountName ?? texts.account.signedIn;
  return (
    <div className={iconOnly ? styles.iconAccount : styles.account}>
      <ActionMenu label={texts.account.menu} groups={groups} placement="top start">
        <AriaButton className={styles.accountButton ?? ''}>
          <span className="visually-hidden">{texts.account.menuPrefix}</span>
          <span className={styles.avatar} aria-hidden>
            {initials(name)}
          </span>
          <span className={iconOnly ? 'visually-hidden' : styles.who}>
            <span className={styles.person}>{name}</span>
            <span className={styles.where}>
              <span className={classes(styles.dot, !isOnline(site) && styles.away)} />
              <span>
                {accountLook(site).word} · {site.displayName}
              </span>
            </span>
          </span>
          {iconOnly ? null : <ChevronsUpDown size={14} aria-hidden />}
        </AriaButton>
      </ActionMenu>
    </div>
  );
}

function initials(name: string): string {
  const words = name.split(/[\s@.]+/).filter((word) => word !== '');
  return (
    words
      .slice(0, 2)
      .map((word) => Array.from(word)[0])
      .join('') || '·'
  ).toUpperCase();
}
