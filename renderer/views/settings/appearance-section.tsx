import type { Theme } from '../../../shared/contract/contract.ts';
import { Segments } from '../../components/forms/segments.tsx';
import { setTheme, useApp } from '../../stores/app/app-store.ts';
import { SettingGroup, SettingRow } from './setting.tsx';

const THEMES: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

export function AppearanceSection() {
  const theme = useApp((state) => state.theme);
  return (
    <SettingGroup title="Colours">
      <SettingRow label="Theme" hint="The sign-in window follows too.">
        <Segments hideLabel label="Theme" value={theme} options={THEMES} onChange={(next) => void setTheme(next)} />
      </SettingRow>
    </SettingGroup>
  );
}
