// Starts a whole institution on this computer, to try it: npm run institution [-- --keep DIR] [--processes N] [--workers N] [--seed demo]
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { missingPackages, startInstitution } from './institution.ts';

const { values } = parseArgs({
  options: {
    keep: { type: 'string' },
    processes: { type: 'string', default: '2' },
    workers: { type: 'string', default: '2' },
    seed: { type: 'string', default: 'demo' },
  },
});

const missing = missingPackages();
if (missing.length > 0) {
  console.error(
    `This needs Debian packages that are not installed: apt-get install --no-install-recommends ${missing.join(' ')}`,
  );
  process.exit(1);
}
const institution = await startInstitution({
  processes: Number(values.processes),
  workers: Number(values.workers),
  seed: values.seed === 'empty' ? 'empty' : 'demo',
  ...(values.keep === undefined ? {} : { dir: resolve(values.keep) }),
});
console.log(`The library:      ${institution.baseUrl}
Administrator:    ${institution.admin.email_address}  ${institution.admin.password}
Processes behind: ${institution.services.map(({ baseUrl }) => baseUrl).join('  ')}
PostgreSQL:       ${institution.postgres.address('library1')}
Object store:     ${institution.store.s3?.endpoint}
${values.keep === undefined ? 'Ctrl-C stops it and deletes its data.' : `Ctrl-C stops it. Its data stays in ${resolve(values.keep)}.`}`);

let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (isStopping) return;
    isStopping = true;
    institution.stop().then(
      () => process.exit(0),
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}
