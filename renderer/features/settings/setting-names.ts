import type { SettingsSection } from '../common/state/app-store.ts';
import { texts } from './texts.ts';

/** A setting that the palette finds by its name. */
export interface SettingName {
  name: string;
  section: SettingsSection;
  sectionName: string;
}

const { uploads, appearance, spelling, network, desktop, computer, accounts, check } = texts;

const NAMES: Readonly<Record<SettingsSection, readonly string[]>> = {
  uploads: [uploads.parallel, uploads.smallFirst, uploads.disk, uploads.limit, uploads.timetable],
  desktop: [
    ...[desktop.whenClosed, desktop.askBeforeQuit, desktop.atLogin, desktop.notifications],
    ...[desktop.ended, desktop.attention, desktop.names, desktop.keepAwake],
  ],
  check: [check.title],
  accounts: [accounts.title],
  network: [network.mode, network.certificates, network.connection],
  appearance: [appearance.theme, spelling.check],
  updates: [],
  computer: [computer.signIns, computer.profile],
};

/** The settings by name, each with its section, and the sections themselves. */
export const SETTING_NAMES: readonly SettingName[] = (Object.keys(NAMES) as SettingsSection[]).flatMap((section) => {
  const sectionName = texts.sections[section];
  return [sectionName, ...NAMES[section]].map((name) => ({ name, section, sectionName }));
});
