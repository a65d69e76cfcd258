// One large upload into the service with a large library; see receivers.ts.
import { openLargeLibrary } from '../large-library.ts';
import { isQuick, MIB } from '../peers.ts';
import { compareReceivers } from '../receivers.ts';
import { report } from '../report.ts';

const load = { parallel: 1, sizeBytes: (isQuick ? 128 : 2048) * MIB, rounds: isQuick ? 3 : 5 };

const library = await openLargeLibrary();
try {
  const rows = await compareReceivers(library, load);
  report({
    scenario: 'service-large-file',
    about: `${load.sizeBytes / MIB} MiB over loopback http, medians of ${load.rounds} rounds; ${library.about}`,
    rows,
  });
} finally {
  await library.remove();
}
