import { resolve } from 'node:path';
import { appError } from '../../../shared/contract/app-error.ts';
import type { NetworkState } from '../../../shared/contract/network.ts';
import { noOperands, onlyOperand } from '../arguments/options.ts';
import type { EngineContext } from '../command-base/context.ts';
import { defineEngineCommand } from '../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../output/exit-codes.ts';
import { localTime } from '../output/local-time.ts';
import type { Output } from '../output/output.ts';

export const certificatesListCommand = defineEngineCommand({
  name: 'certificates list',
  operands: '',
  summary: 'List the imported certificate authorities.',
  options: {},
  read: (_values, operands) => noOperands(operands),
  reads: () => true,
  run: async ({ engine, output }: EngineContext) => show(await engine.call('network.get', null), output),
});

export const certificatesImportCommand = defineEngineCommand<{ path: string }>({
  name: 'certificates import',
  operands: 'FILE',
  summary: 'Trust the certificate authorities of a PEM file.',
  options: {},
  read: (_values, operands) => ({ path: resolve(onlyOperand(operands, 'Missing argument: FILE')) }),
  run: async ({ engine, output }, { path }) => show(await engine.call('network.importCertificates', { path }), output),
});

export const certificatesRemoveCommand = defineEngineCommand<{ fingerprint: string }>({
  name: 'certificates remove',
  operands: 'FINGERPRINT',
  summary: 'No longer trust an imported certificate authority. The first digits of its fingerprint are enough.',
  options: {},
  read: (_values, operands) => ({ fingerprint: onlyOperand(operands, 'Missing argument: FINGERPRINT').toUpperCase() }),
  run: remove,
});

async function remove({ engine, output }: EngineContext, { fingerprint }: { fingerprint: string }): Promise<ExitCode> {
  const { certificates } = await engine.call('network.get', null);
  const [found, ...more] = certificates.filter((each) => each.fingerprint.startsWith(fingerprint));
  if (found === undefined || more.length > 0) {
    const message =
      found === undefined ? 'No imported certificate has this fingerprint.' : 'Several certificates begin so.';
    throw appError('input.invalid', { message, details: { fingerprint } });
  }
  return show(await engine.call('network.removeCertificate', { fingerprint: found.fingerprint }), output);
}

function show({ certificates }: NetworkState, output: Output): ExitCode {
  for (const certificate of certificates) output.record({ certificate });
  if (certificates.length === 0) output.note('No certificate authority is imported.');
  output.table(
    ['AUTHORITY', 'VALID UNTIL', 'SHA-256'],
    certificates.map(({ subject, expiresAt, fingerprint }) => [subject, localTime(expiresAt), fingerprint]),
  );
  return EXIT.complete;
}
