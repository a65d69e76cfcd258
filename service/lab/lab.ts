import { z } from 'zod';
import { type Config, configSchema, readConfigAs } from '../app/config.ts';
import type { Store } from '../database/store.ts';
import type { Lab } from '../site/instruments.ts';
import { createControl } from './control.ts';
import { DIALECTS } from './dialects.ts';
import { createFaultRegister, ruleSchema } from './faults.ts';
import { type LabSettings, labPatchSchema, openLabSettings } from './lab-settings.ts';

/** What a start of the service for tests sets: settings of tests, which take precedence over stored ones, and initial faults. */
export interface LabConfig {
  settings: Partial<LabSettings>;
  faults: readonly unknown[];
}

const schema = z.strictObject({
  ...configSchema.shape,
  ...labPatchSchema.shape,
  faults: z.array(ruleSchema).optional(),
});

/** Reads a configuration file that may also have settings of tests and faults. Throws an error with a sentence. */
export function readLabConfig(file: string): { config: Config; lab: LabConfig } {
  const {
    clients = [],
    storage,
    workers,
    database,
    faults = [],
    dialect,
    clock_offset_ms,
    ...settings
  } = readConfigAs(schema, file);
  const own = {
    ...(dialect === undefined ? {} : { dialect }),
    ...(clock_offset_ms === undefined ? {} : { clock_offset_ms }),
  };
  return { config: { settings, clients, storage, workers, database }, lab: { settings: own, faults } };
}

/** Creates the instruments of tests and their control port. */
export function createLab({ settings: given, faults: rules }: LabConfig): Lab {
  return async (store: Store) => {
    const settings = await openLabSettings(store);
    if (Object.keys(given).length > 0) await settings.patch(given);
    const faults = createFaultRegister();
    for (const rule of rules) faults.add(rule);
    return {
      instruments: {
        clockOffsetMs: () => settings.current().clock_offset_ms,
        dialect: () => DIALECTS[settings.current().dialect],
        intercept: faults.apply,
      },
      async listen(site, token) {
        const control = createControl(site, { faults, settings }, token);
        const url = await control.listen({ host: '127.0.0.1', port: 0 });
        return { ready: { control_url: url, control_token: token }, close: () => control.close() };
      },
    };
  };
}
