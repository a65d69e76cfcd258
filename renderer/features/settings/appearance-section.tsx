import { useEffect } from 'react';
import type { Theme } from '../../../shared/contract/contract.ts';
import { Segments, Switch } from '../../kit/components/forms/choice.tsx';
import { Select } from '../../kit/components/forms/select.tsx';
import { setTheme, useApp } from '../common/state/app-store.ts';
import { SettingGroup, SettingRow } from './setting.tsx';
import { loadSpelling, setSpelling, useSpelling } from './state/spelling-store.ts';
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

const words = texts.spelling;
const NAMES = new Intl.DisplayNames(['en'], { type: 'language' });

/** Turns the spell checker on and off, and chooses its language. On a Mac, these settings belong to the system. */
function SpellingGroup() {
  const spelling = useSpelling((state) => state.spelling);
  useEffect(() => void loadSpelling(), []);
  if (spelling === null) return null;
  const { isOfSystem, isOn, language, available } = spelling;
  if (isOfSystem) {
    return (
      <SettingGroup title={words.title}>
        <SettingRow label={words.check} hint={words.ofSystem} />
      </SettingGroup>
    );
  }
  const chosen = language ?? usualLanguage(available);
  return (
    <SettingGroup title={words.title}>
      <SettingRow label={words.check} hint={words.hint}>
        <Switch
          label={words.check}
          isSelected={isOn}
          onChange={(on) => void setSpelling({ isOn: on, language: chosen })}
        />
      </SettingRow>
      {isOn ? (
        <SettingRow label={words.language}>
          <Select
            bare
            label={words.language}
            value={chosen ?? ''}
            options={available.map((tag) => ({ value: tag, label: NAMES.of(tag) ?? tag }))}
            onChange={(tag) => void setSpelling({ isOn, language: tag })}
          />
        </SettingRow>
      ) : null}
    </SettingGroup>
  );
}

/** Returns the language of the window if the spell checker supports it; otherwise the first supported language. */
function usualLanguage(available: readonly string[]): string | null {
  const { language } = navigator;
  const [short = language] = language.split('-');
  return [language, short, 'en-US'].find((tag) => available.includes(tag)) ?? available[0] ?? null;
}
