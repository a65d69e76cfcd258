import { useEffect } from 'react';
import type { Desktop, DesktopPreferences } from '../../../shared/contract/desktop.ts';
import { CLOSE_ACTIONS, type CloseAction } from '../../../shared/model/close-actions.ts';
import { Switch } from '../../kit/components/forms/choice.tsx';
import { Select } from '../../kit/components/forms/select.tsx';
import { SettingGroup, SettingRow } from './setting.tsx';
import styles from './settings-view.module.css';
import { changeDesktop, loadDesktop, setMenuEntry, setStartAtLogin, useDesktop } from './state/desktop-store.ts';
import { texts } from './texts.ts';

const words = texts.desktop;
const ACTIONS = CLOSE_ACTIONS.map((value) => ({ value, label: words.closeActions[value] }));

/** How Mediadesk behaves outside of its window: closing, quitting, the start at login, notifications and sleep. */
export function DesktopSection() {
  const desktop = useDesktop((state) => state.desktop);
  const isMac = window.mediadesk.platform === 'darwin';
  useEffect(() => void loadDesktop(), []);
  if (desktop === null) return null;
  const { preferences, background, login, canNotify, canKeepAwake, entry } = desktop;
  return (
    <>
      <SettingGroup title={words.window}>
        {isMac ? null : (
          <SettingRow label={words.whenClosed} hint={words.whenClosedHint[background]}>
            <Select
              bare
              label={words.whenClosed}
              value={preferences.whenClosed}
              options={ACTIONS}
              onChange={(whenClosed) => void changeDesktop({ whenClosed: whenClosed as CloseAction })}
            />
          </SettingRow>
        )}
        <PreferenceRow name="askBeforeQuit" label={words.askBeforeQuit} hint={words.askBeforeQuitHint} />
        <SettingRow label={words.atLogin} hint={<RegisteredHint {...login} otherwise={words.atLoginHint} />}>
          <Switch label={words.atLogin} isSelected={login.isOn} onChange={(isOn) => void setStartAtLogin(isOn)} />
        </SettingRow>
        {entry === null ? null : (
          <SettingRow label={words.menuEntry} hint={<RegisteredHint {...entry} otherwise={words.menuEntryHint} />}>
            <Switch label={words.menuEntry} isSelected={entry.isOn} onChange={(isOn) => void setMenuEntry(isOn)} />
          </SettingRow>
        )}
      </SettingGroup>
      <SettingGroup title={words.notifications} text={canNotify ? undefined : words.noNotifications}>
        <PreferenceRow name="notifyEnded" label={words.ended} hint={words.endedHint} />
        <PreferenceRow name="notifyAttention" label={words.attention} hint={words.attentionHint} />
        <PreferenceRow name="notifyNames" label={words.names} hint={words.namesHint} />
      </SettingGroup>
      <SettingGroup title={words.power}>
        <PreferenceRow
          name="keepAwake"
          label={words.keepAwake}
          hint={canKeepAwake === false ? words.notHonored : words.keepAwakeHint}
        />
      </SettingGroup>
    </>
  );
}

interface PreferenceRowProps {
  name: Exclude<keyof DesktopPreferences, 'whenClosed'>;
  label: string;
  hint: string;
}

function PreferenceRow({ name, label, hint }: PreferenceRowProps) {
  const isOn = useDesktop((state) => state.desktop?.preferences[name] ?? false);
  return (
    <SettingRow label={label} hint={hint}>
      <Switch label={label} isSelected={isOn} onChange={(next) => void changeDesktop({ [name]: next })} />
    </SettingRow>
  );
}

/** Names the file that registers something, as a proof for users who look for it. */
function RegisteredHint({ isOn, file, otherwise }: Desktop['login'] & { otherwise: string }) {
  if (!isOn || file === null) return otherwise;
  return (
    <>
      {words.registered}
      <span className={styles.mono} data-selectable>
        {file}
      </span>
    </>
  );
}
