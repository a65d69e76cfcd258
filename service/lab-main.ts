// The service with the instruments of tests: a control port, faults, another clock, other dialects, cheap passwords.
import { enableCompileCache } from 'node:module';

enableCompileCache();
process.umask(0o077);
const { fail, OPTIONS, OPTIONS_USAGE, readCommandLine, runService } = await import('./command-line.ts');
const { NO_CONFIG } = await import('./app/config.ts');
const { createLab, readLabConfig } = await import('./lab/lab.ts');

const USAGE = `Usage: npm run -s service:lab -- ${OPTIONS_USAGE} [--dialect reference|lean|strict] [--test-password-cost]`;

const { options, values, problems } = readCommandLine(USAGE, {
  ...OPTIONS,
  dialect: { type: 'string' },
  'test-password-cost': { type: 'boolean', default: false },
});
if (problems.length > 0) fail(USAGE, ...problems);

function readDialect(name: unknown): 'reference' | 'lean' | 'strict' | undefined {
  if (name === undefined || name === 'reference' || name === 'lean' || name === 'strict') return name;
  return fail(USAGE, `There is no dialect ${name}.`);
}

function configOf(file: unknown) {
  if (typeof file !== 'string') return { config: NO_CONFIG, lab: { settings: {}, faults: [] } };
  try {
    return readLabConfig(file);
  } catch (error) {
    return fail(USAGE, error instanceof Error ? error.message : String(error));
  }
}

const dialect = readDialect(values.dialect);
const { config, lab } = configOf(values.config);
await runService({
  ...options,
  config,
  // With this cost, the passwords of a stolen database are easy to find.
  ...(values['test-password-cost'] === true ? { passwordCost: { N: 2 ** 10, r: 8, p: 1 } } : {}),
  lab: createLab({ ...lab, settings: { ...lab.settings, ...(dialect === undefined ? {} : { dialect }) } }),
});
