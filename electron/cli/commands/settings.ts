import type { SettingsPatch } from '../../../shared/contract/settings.ts';
import { readSettings, settingsText } from '../arguments/settings-values.ts';
import type { EngineContext } from '../command-base/context.ts';
import { defineEngineCommand } from '../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../output/exit-codes.ts';

interface SettingsInput {
  /** Empty: the settings are only shown. */
  patch: SettingsPatch;
}

export const settingsCommand = defineEngineCommand<SettingsInput>({
  name: 'settings',
  operands: '[NAME=VALUE…]',
  summary: 'Show the settings, or change some: parallel, small-first, disk, limit, timetable.',
  options: {},
  read: (_values, words) => ({ patch: readSettings(words) }),
  reads: ({ patch }) => Object.keys(patch).length === 0,
  run: showSettings,
});

/** Shows the settings, after a change if there is one. */
async function showSettings({ engine, output }: EngineContext, { patch }: SettingsInput): Promise<ExitCode> {
  const isChange = Object.keys(patch).length > 0;
  const settings = isChange ? await engine.call('settings.set', { patch }) : await engine.call('settings.get', null);
  output.record({ settings });
  output.table(['SETTING', 'VALUE'], settingsText(settings));
  return EXIT.complete;
}
