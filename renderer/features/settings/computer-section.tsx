import { FolderSearch } from 'lucide-react';
import { Button } from '../../kit/components/button.tsx';
import { InlineError } from '../../kit/components/status/empty-state.tsx';
import { StateChip } from '../../kit/components/status/state-chip.tsx';
import type { StateLook } from '../../kit/text/states.ts';
import { openPanel, useApp } from '../common/state/app-store.ts';
import { showInFolder } from '../common/state/show-in-folder.ts';
import { SettingGroup, SettingRow } from './setting.tsx';
import styles from './settings-view.module.css';
import { texts } from './texts.ts';

type Kept = 'system' | 'memory' | 'file';

const KEPT_LOOKS: Readonly<Record<Kept, Omit<StateLook, 'word'>>> = {
  system: { icon: 'complete', tone: 'good' },
  memory: { icon: 'waiting', tone: 'waiting' },
  file: { icon: 'complete', tone: 'good' },
};

const PLATFORMS: Readonly<Record<string, string>> = texts.computer.platforms;

/** Lists the data that Mediadesk stores on this computer, with its location. */
export function ComputerSection() {
  const info = useApp((state) => state.info);
  const isMemory = useApp((state) => state.sites.some((site) => site.keptIn === 'memory'));
  if (info === null) return null;
  const { keychain } = info;
  const where = isMemory && keychain.kind === 'system' ? 'memory' : keychain.kind;
  const { word, hint } = texts.computer.keptIn[where];
  return (
    <>
      <SettingGroup title={texts.computer.signIns}>
        <SettingRow
          label={texts.computer.kept}
          hint={hint}
          below={keychain.problem === null ? undefined : <InlineError error={keychain.problem} isNotice />}
        >
          <StateChip look={{ word, ...KEPT_LOOKS[where] }} state={keychain.kind} filled />
        </SettingRow>
      </SettingGroup>
      <SettingGroup title={texts.computer.profile}>
        <SettingRow
          label={texts.computer.folder}
          hint={
            <>
              {texts.computer.folderHint}
              <span className={styles.mono} data-selectable>
                {info.profileDir}
              </span>
            </>
          }
        >
          <Button icon={<FolderSearch size={14} aria-hidden />} onPress={() => void showInFolder(info.profileDir)}>
            {texts.computer.showFolder}
          </Button>
        </SettingRow>
      </SettingGroup>
      <SettingGroup title={texts.computer.about}>
        <SettingRow
          label={
            <>
              {texts.computer.product}
              <span data-selectable>{info.version}</span>
            </>
          }
          hint={PLATFORMS[info.platform] ?? texts.computer.otherPlatform(info.platform)}
        >
          <Button onPress={() => openPanel('shortcuts')}>{texts.computer.shortcuts}</Button>
          <Button onPress={() => openPanel('about')}>{texts.computer.aboutMediadesk}</Button>
        </SettingRow>
      </SettingGroup>
    </>
  );
}
