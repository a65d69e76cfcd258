// `npm run conformance -- [service | client | destinations] [options]`: holds a library service against the API, Mediadesk
// against unusual libraries, or its sender against real stores.

import process from 'node:process';

const [subject, ...rest] = process.argv.slice(2);
if (subject === 'client') {
  const { runClientConformance } = await import('./unusual-servers/run.ts');
  process.exitCode = await runClientConformance(rest);
} else if (subject === 'destinations') {
  const { runDestinationConformance } = await import('./destinations/run.ts');
  process.exitCode = await runDestinationConformance(rest);
} else {
  if (subject === 'service') process.argv.splice(2, 1);
  await import('./conformance/run.ts');
}
