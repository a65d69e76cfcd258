import type { Theme } from '../../../shared/contract/contract.ts';
import { Segments } from '../../kit/components/forms/choice.tsx';
import { setTheme, useApp } from '../common/state/app-store.ts';
import { SettingGroup, SettingRow } from './setting.tsx';
import { SpellingGroup } from './spelling-group.tsx';
import { texts } from './texts.ts';

const { appearance } = texts;

const THEMES: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: appearance.themes.system },
  { value: 'light', label: appearance.themes.light },
  { value: 'dark', label: appearance.themes.dark },
];

export function AppearanceSection() {
  const theme = useApp((state) => state.theme);
  return (
    <>
      <SettingGroup title={appearance.title}>
        <SettingRow label={appearance.theme} hint={appearance.themeHint}>
          <Segments
            hideLabel
            label={appearance.theme}
            value={theme}
            options={THEMES}
            onChange={(next) => void setTheme(next)}
          />
        </SettingRow>
      </SettingGroup>
      <SpellingGroup />
    </>
  );
}
