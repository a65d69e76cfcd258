import { FolderSearch } from 'lucide-react';
import { showInFolder } from '../../commands/system.ts';
import { Button } from '../../components/button.tsx';
import { InlineError } from '../../components/status/empty-state.tsx';
import { StateChip } from '../../components/status/state-chip.tsx';
import { openPanel, useApp } from '../../stores/app/app-store.ts';
import type { StateLook } from '../../text/states.ts';
import { SettingGroup, SettingRow } from './setting.tsx';
import styles from './settings-view.module.css';

type Kept = 'system' | 'memory' | 'file';

const KEPT: Readonly<Record<Kept, { look: StateLook; hint: string }>> = {
  system: {
    look: { word: 'Keychain', icon: 'complete', tone: 'good' },
    hint: 'Sign-ins are in this computer’s keychain under “mediadesk”, and nowhere else. Access tokens are in memory only.',
  },
  memory: {
    look: { word: 'Memory only', icon: 'waiting', tone: 'waiting' },
    hint: 'Sign-ins last until Mediadesk is closed. The queue is kept all the same; it waits until you sign in again.',
  },
  file: {
    look: { word: 'Sealed file', icon: 'complete', tone: 'good' },
    hint: 'Sign-ins are in a file of the profile that is sealed with your passphrase.',
  },
};

/** What Mediadesk stores on this computer, and where. */
export function ComputerSection() {
  const info = useApp((state) => state.info);
  const isMemory = useApp((state) => state.sites.some((site) => site.keptIn === 'memory'));
  if (info === null) return null;
  const { keychain } = info;
  const kept = KEPT[isMemory && keychain.kind === 'system' ? 'memory' : keychain.kind];
  return (
    <>
      <SettingGroup title="Sign-ins">
        <SettingRow
          label="Where sign-ins are kept"
          hint={kept.hint}
          below={keychain.problem === null ? undefined : <InlineError error={keychain.problem} isNotice />}
        >
          <StateChip look={kept.look} state={keychain.kind} filled />
        </SettingRow>
      </SettingGroup>
      <SettingGroup title="Profile">
        <SettingRow
          label="Folder"
          hint={
            <>
              The queue, its receipts, these settings and the log are in{' '}
              <span className={styles.mono} data-selectable>
                {info.profileDir}
              </span>
            </>
          }
        >
          <Button icon={<FolderSearch size={14} aria-hidden />} onPress={() => void showInFolder(info.profileDir)}>
            Show the folder
          </Button>
        </SettingRow>
      </SettingGroup>
      <SettingGroup title="About">
        <SettingRow
          label={
            <>
              Mediadesk <span data-selectable>{info.version}</span>
            </>
          }
          hint={`On ${PLATFORMS[info.platform] ?? info.platform}.`}
        >
          <Button onPress={() => openPanel('shortcuts')}>Keyboard shortcuts</Button>
          <Button onPress={() => openPanel('about')}>About…</Button>
        </SettingRow>
      </SettingGroup>
    </>
  );
}

const PLATFORMS: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' };
